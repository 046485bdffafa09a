// Keeps the folder under a key that is not known yet; whole or not at all, as others may look.
const fs = require("node:fs");

const kept = `${process.env.STAND_IN_CACHE}/${process.env.INPUT_KEY}`;
if (!fs.existsSync(kept) && fs.existsSync(process.env.INPUT_PATH)) {
  const begun = `${kept}.${process.pid}`;
  fs.cpSync(process.env.INPUT_PATH, begun, { recursive: true, preserveTimestamps: true });
  try {
    fs.renameSync(begun, kept);
  } catch {
    fs.rmSync(begun, { recursive: true }); // somebody else was first
  }
}
