// Compiles the demo and the console as `nest build` does, with the plugin. The plugin needs types,
// which SWC, the compiler of everything else, does not have. Jest runs it as a transformer, and
// typescript-loader.cjs in children.
const { createHash } = require('node:crypto');
const { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } = require('node:fs');
const { renameSync, rmSync, statSync, writeFileSync } = require('node:fs');
const { dirname, join, relative } = require('node:path');

const ROOT = join(module.path, '../..');
const CACHE = join(ROOT, 'node_modules/.cache/applications');
const SOURCES = ['apps/demo/src', 'apps/console/src'];
/** What the compiled code depends on. */
const WATCHED = [...SOURCES, 'libs/agent/src/plugin', 'test/support/application-compiler.cjs'];

/** Whether a file belongs to one of the applications; their specs do not. */
function isApplication(filename) {
  const path = relative(ROOT, filename);
  return SOURCES.some((folder) => path.startsWith(`${folder}/`)) && !path.endsWith('.spec.ts');
}

/** The code of one file. All files are compiled together, after each change of one of them. */
function compiled(filename) {
  const folder = join(CACHE, version());
  if (!existsSync(folder)) build(folder);
  return readFileSync(join(folder, relative(ROOT, filename)), 'utf8');
}

function version() {
  const paths = WATCHED.flatMap((path) => {
    const names = path.endsWith('.cjs') ? [''] : readdirSync(join(ROOT, path), { recursive: true });
    return names.map((name) => join(ROOT, path, name)).sort();
  });
  const hash = createHash('sha1').update(require('typescript/package.json').version);
  for (const path of paths) {
    const { mtimeMs, size } = statSync(path);
    hash.update(`${path} ${mtimeMs} ${size}\n`);
  }
  return hash.digest('hex');
}

function build(folder) {
  const ts = require('typescript');
  const { before } = require('../../libs/agent/plugin');
  const { config } = ts.readConfigFile(join(ROOT, 'apps/tsconfig.app.json'), ts.sys.readFile);
  const { options, fileNames, errors } = ts.parseJsonConfigFileContent(
    config,
    ts.sys,
    join(ROOT, 'apps'),
    { inlineSourceMap: true, sourceMap: false, inlineSources: true },
  );
  const program = ts.createProgram(fileNames, options);
  const transformers = { before: [before({}, program)] };
  mkdirSync(CACHE, { recursive: true });
  // Another process may build at the same time: the first to be done stays.
  const building = mkdtempSync(join(CACHE, 'building-'));
  const problems = [...errors];
  for (const path of fileNames.filter(isApplication)) {
    const file = program.getSourceFile(path);
    const write = (_, code) => {
      const target = join(building, relative(ROOT, path));
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, code);
    };
    problems.push(...program.emit(file, write, undefined, false, transformers).diagnostics);
  }
  if (problems.length > 0) {
    rmSync(building, { recursive: true });
    const host = { getCanonicalFileName: (path) => path, getNewLine: () => '\n' };
    throw new Error(ts.formatDiagnostics(problems, { ...host, getCurrentDirectory: () => ROOT }));
  }
  try {
    renameSync(building, folder);
  } catch (error) {
    rmSync(building, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
}

module.exports = {
  isApplication,
  compiled,
  // As Jest calls them.
  process: (_, filename) => ({ code: compiled(filename) }),
  getCacheKey: (source, filename) =>
    createHash('sha1').update(version()).update(filename).update(source).digest('hex'),
};
