// Lets a process load TypeScript, compiled as Jest does.
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { join } = require('node:path');
const { pid } = require('node:process');

const [{ transform }] = require('../../jest.config.js').projects;
const [, options] = transform['^.+\\.ts$'];

// Hundreds of processes run the same files: each is compiled once.
const CACHE = join(module.path, '../../node_modules/.cache/typescript-hook');
const SETTINGS = JSON.stringify([options, require('@swc/core/package.json').version]);
mkdirSync(CACHE, { recursive: true });

Module._extensions['.ts'] = (module, filename) => {
  const applications = require('./application-compiler.cjs');
  if (applications.isApplication(filename))
    return module._compile(applications.compiled(filename), filename);
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
