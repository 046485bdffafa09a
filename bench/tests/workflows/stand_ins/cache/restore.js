// Copies what the key holds into the workspace, and says whether it held anything.
const fs = require("node:fs");

const kept = `${process.env.STAND_IN_CACHE}/${process.env.INPUT_KEY}`;
const hit = fs.existsSync(kept) && fs.readdirSync(kept).length > 0;
if (hit) fs.cpSync(kept, process.env.INPUT_PATH, { recursive: true, preserveTimestamps: true });
fs.appendFileSync(process.env.GITHUB_OUTPUT, `cache-hit=${hit}\n`);
