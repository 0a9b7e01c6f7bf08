// Lets a process run TypeScript, a test's child or a benchmark:
//   node --require test/support/typescript-hook.cjs child.ts
// It compiles as Jest does, and knows the library by its name.
const { readFileSync } = require('node:fs');
const Module = require('node:module');
const { join } = require('node:path');
const { transformSync } = require('@swc/core');

const SOURCE = join(module.path, '../../libs/agent/src');
const [{ transform }] = require('../../jest.config.js').projects;
const [, options] = transform['^.+\\.ts$'];

Module._extensions['.ts'] = (module, filename) => {
  const { code } = transformSync(readFileSync(filename, 'utf8'), {
    ...options,
    filename,
    swcrc: false,
  });
  module._compile(code, filename);
};

const resolve = Module._resolveFilename;
Module._resolveFilename = (request, ...rest) => {
  const ours = /^nestjs-agent(\/[a-z]+)?$/.exec(request);
  return resolve(ours ? join(SOURCE, ours[1] ?? '', 'index.ts') : request, ...rest);
};
