// Keeps the folder under a key that is not known yet.
const fs = require("node:fs");

const kept = `${process.env.STAND_IN_STORE}/cache/${process.env.INPUT_KEY}`;
if (!fs.existsSync(kept) && fs.existsSync(process.env.INPUT_PATH)) {
  fs.cpSync(process.env.INPUT_PATH, kept, { recursive: true });
}
