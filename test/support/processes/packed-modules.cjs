// Lets a process run TypeScript as ../typescript-hook.cjs does, and start with a third of the work: processes
// of tests load the same thousands of modules, one after the other. The folder of the variable PACKED_MODULES
// has them in a file for each encoding, with what each name led to and V8's code of them. While the folder
// lacks something, a process adds it as it ends: the first one the modules, the second one their code.
require('../typescript-hook.cjs');
const { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { dirname, extname, isAbsolute, join } = require('node:path');
const process = require('node:process');
const { constants, Script } = require('node:vm');

/** Most modules need one byte for each character, which V8 reads faster. */
const ENCODINGS = ['latin1', 'utf8'];
const BEYOND_LATIN1 = /[^\0-\xff]/;
const NO_CODE = /^#!.*|\n\/\/# sourceMappingURL=data:.*/g;

const folder = process.env.PACKED_MODULES;
const resolutions = join(folder ?? '', 'resolutions.json');
const resolve = Module._resolveFilename;

if (folder === undefined) return;
if (existsSync(resolutions)) use();
else record();

function record() {
  const sources = new Map();
  const paths = {};
  const compile = Module.prototype._compile;
  Module.prototype._compile = function (content, filename, format) {
    if (format !== 'module') sources.set(filename, content.replace(NO_CODE, ''));
    return compile.call(this, content, filename, format);
  };
  Module._resolveFilename = (request, parent, isMain, options) => {
    const path = resolve(request, parent, isMain, options);
    if (parent?.filename && !options && isAbsolute(path))
      (paths[parent.filename] ??= {})[request] = path;
    return path;
  };
  process.once('exit', () => {
    mkdirSync(folder, { recursive: true });
    for (const encoding of ENCODINGS) {
      const members = [...sources]
        .filter(([, source]) => BEYOND_LATIN1.test(source) === (encoding === 'utf8'))
        .map(
          ([path, source]) =>
            `${JSON.stringify(path)}(exports, require, module, __filename, __dirname) {${source}\n}`,
        );
      writeFileSync(join(folder, `${encoding}.js`), `({${members.join(',\n')}})`, encoding);
    }
    // With what compiles the sources, whose changes count as well.
    const times = Object.keys(Module._cache).map((path) => [path, statSync(path).mtimeMs]);
    writeFileSync(join(folder, 'times.json'), JSON.stringify(times));
    writeFileSync(resolutions, JSON.stringify(paths));
  });
}

function use() {
  const functions = Object.assign({}, ...ENCODINGS.map(functionsOf));
  const paths = JSON.parse(readFileSync(resolutions, 'utf8'));
  Module._resolveFilename = (request, parent, isMain, options) => {
    const path = options ? undefined : paths[parent?.filename]?.[request];
    return path ?? resolve(request, parent, isMain, options);
  };
  for (const extension of new Set(Object.keys(functions).map(extname))) {
    const load = Module._extensions[extension] ?? Module._extensions['.js'];
    Module._extensions[extension] = (module, filename) => {
      const { [filename]: run } = functions;
      if (run === undefined) return load(module, filename);
      run.call(
        module.exports,
        module.exports,
        requireOf(module),
        module,
        filename,
        dirname(filename),
      );
    };
  }
}

function functionsOf(encoding) {
  const filename = join(folder, `${encoding}.js`);
  const codeOf = `${filename}.code`;
  const cachedData = existsSync(codeOf) ? readFileSync(codeOf) : undefined;
  const script = new Script(readFileSync(filename, encoding), {
    filename,
    cachedData,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  if (cachedData === undefined)
    process.once('exit', () => writeFileSync(codeOf, script.createCachedData()));
  return script.runInThisContext();
}

function requireOf(module) {
  const require = (request) => module.require(request);
  require.resolve = (request, options) => Module._resolveFilename(request, module, false, options);
  return Object.assign(require, {
    main: process.mainModule,
    cache: Module._cache,
    extensions: Module._extensions,
  });
}
