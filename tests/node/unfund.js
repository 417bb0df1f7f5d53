// Takes out of package-lock.json where its packages ask for money: the only hosts that it names.
"use strict";

const fs = require("node:fs");
const path = require("node:path");

const file = path.join(__dirname, "package-lock.json");
const lock = JSON.parse(fs.readFileSync(file, "utf8"));
for (const each of Object.values(lock.packages)) delete each.funding;
fs.writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
