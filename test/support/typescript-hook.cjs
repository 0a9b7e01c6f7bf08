// Lets a process run TypeScript, a test's child or a benchmark:
//   node --require test/support/typescript-hook.cjs child.ts
// It compiles as Jest does, and knows the library by its name.
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { join } = require('node:path');
const { pid } = require('node:process');

const SOURCE = join(module.path, '../../libs/agent/src');
const [{ transform }] = require('../../jest.config.js').projects;
const [, options] = transform['^.+\\.ts$'];

// Hundreds of processes run the same files: each is compiled once.
const CACHE = join(module.path, '../../node_modules/.cache/typescript-hook');
const SETTINGS = JSON.stringify([options, require('@swc/core/package.json').version]);
mkdirSync(CACHE, { recursive: true });

Module._extensions['.ts'] = (module, filename) => {
  const source = readFileSync(filename, 'utf8');
  const key = createHash('sha1').update(SETTINGS).update(filename).update(source).digest('hex');
  module._compile(compiled(source, filename, join(CACHE, key)), filename);
};

function compiled(source, filename, cached) {
  try {
    return readFileSync(cached, 'utf8');
  } catch {
    const { transformSync } = require('@swc/core');
    const { code } = transformSync(source, { ...options, filename, swcrc: false });
    // Another process may read it at the same time.
    const whole = `${cached}.${pid}`;
    writeFileSync(whole, code);
    renameSync(whole, cached);
    return code;
  }
}

const resolve = Module._resolveFilename;
Module._resolveFilename = (request, ...rest) => {
  const ours = /^nestjs-agent(\/[a-z]+)?$/.exec(request);
  return resolve(ours ? join(SOURCE, ours[1] ?? '', 'index.ts') : request, ...rest);
};
