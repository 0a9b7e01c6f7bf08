// Puts the fault of the variable FAULT into the file that a process reads.
const fs = require('node:fs');
const { env } = require('node:process');

const { path, find, replace } = JSON.parse(env.FAULT);
const read = fs.readFileSync;

fs.readFileSync = (file, ...options) => {
  const content = read(file, ...options);
  if (file !== path) return content;
  // A function, since `$` is special in a replacement text.
  return String(content).replace(find, () => replace);
};
