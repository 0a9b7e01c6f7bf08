// Lets a process run TypeScript, a test's child or a benchmark:
//   node --require test/support/typescript-hook.cjs child.ts
// It compiles as Jest does, and knows the library by its name.
require('./typescript-loader.cjs');
const Module = require('node:module');
const { join } = require('node:path');

const SOURCE = join(module.path, '../../libs/agent/src');

const resolve = Module._resolveFilename;
Module._resolveFilename = (request, ...rest) => {
  const ours = /^nestjs-agent(\/[a-z]+)?$/.exec(request);
  return resolve(ours ? join(SOURCE, ours[1] ?? '', 'index.ts') : request, ...rest);
};
