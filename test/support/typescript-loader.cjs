// Lets a process load TypeScript, compiled as Jest does.
const { Buffer } = require('node:buffer');
const { createHash } = require('node:crypto');
const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { join } = require('node:path');
const { env, pid } = require('node:process');
const v8 = require('node:v8');

const [{ transform }] = require('../../jest.config.js').projects;
const [, options] = transform['^.+\\.ts$'];

// In a test an embedded PostgreSQL lives for seconds: optimizing its code takes longer than it saves.
if (env.JEST_WORKER_ID !== undefined) v8.setFlagsFromString('--liftoff-only');

// Hundreds of processes run the same files: each is compiled once.
const CACHE = join(module.path, '../../node_modules/.cache/typescript-hook');
const SETTINGS = JSON.stringify([options, require('@swc/core/package.json').version]);
const INLINE_MAP = /\n\/\/# sourceMappingURL=data:application\/json;[^,]*base64,(\S+)\s*$/;
mkdirSync(CACHE, { recursive: true });

Module._extensions['.ts'] = (module, filename) => {
  const applications = require('./application-compiler.cjs');
  if (applications.isApplication(filename))
    return module._compile(applications.compiled(filename), filename);
  const source = readFileSync(filename, 'utf8');
  const key = createHash('sha1').update(SETTINGS).update(filename).update(source).digest('hex');
  loaded.set(filename, join(CACHE, key));
  module._compile(compiled(source, filename, join(CACHE, key)), filename);
};

/** Of the files that this process has loaded, where the compiled code is. */
const loaded = new Map();

function compiled(source, filename, cached) {
  try {
    return readFileSync(cached, 'utf8');
  } catch {
    const { transformSync } = require('@swc/core');
    const { code } = transformSync(source, { ...options, filename, swcrc: false });
    write(cached, code);
    return code;
  }
}

/** The file with the source map of a loaded file, for stack traces. */
function sourceMapFile(filename) {
  const cached = loaded.get(filename);
  if (cached === undefined) return undefined;
  const path = `${cached}.map`;
  if (!existsSync(path)) {
    const [, map = ''] = INLINE_MAP.exec(readFileSync(cached, 'utf8')) ?? [];
    write(path, Buffer.from(map, 'base64'));
  }
  return path;
}

/** Another process may read it at the same time. */
function write(path, content) {
  const whole = `${path}.${pid}`;
  writeFileSync(whole, content);
  renameSync(whole, path);
}

module.exports = { sourceMapFile };
