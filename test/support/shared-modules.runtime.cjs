// Loads packages and the library once for all test files of a worker, by Node.js; only the test files
// and what stands beside them are loaded for each. Loading takes a second for each.
// Files that need a scope of their own (own-scope.cjs) run as Jest does it.
const { default: Runtime } = require('jest-runtime');
const { createRequire } = require('node:module');
const { join, sep } = require('node:path');
const { compileFunction } = require('node:vm');
const { needsOwnScope } = require('./own-scope.cjs');
require('./typescript-hook.cjs');
const { sourceMapFile } = require('./typescript-loader.cjs');

const LIBRARIES = join(module.path, '../../libs') + sep;
const PACKAGES = `${sep}node_modules${sep}`;

class SharedModulesRuntime extends Runtime {
  constructor(...parts) {
    super(...parts);
    const [testPath, globalConfig] = parts.slice(6);
    this.isSharing = !needsOwnScope(testPath, globalConfig);
    if (!this.isSharing) return;
    const { executor } = this;
    // In this scope, not in one of the file's own.
    executor.compile = (source, filename) =>
      compileFunction(source, executor.injectedModuleParameters, { filename });
  }

  requireModule(from, moduleName, options, isActual) {
    const path = this.isSharing && !options?.isInternalModule && this.sharedPath(from, moduleName);
    return path ? require(path) : super.requireModule(from, moduleName, options, isActual);
  }

  // Jest's own modules, expect among them. Each file has its own adapter only, which keeps its tests.
  requireInternalModule(from, moduleName) {
    return this.isSharing && moduleName
      ? createRequire(from)(moduleName)
      : super.requireInternalModule(from, moduleName);
  }

  sharedPath(from, moduleName) {
    if (!moduleName || this._resolution.isCoreModule(moduleName)) return undefined;
    const path = this._resolution.resolveCjs(from, moduleName);
    const isShared = path.includes(PACKAGES) || (path.startsWith(LIBRARIES) && isSource(path));
    return isShared ? path : undefined;
  }

  getSourceMaps() {
    const own = super.getSourceMaps();
    return {
      get: (path) => own.get(path) ?? sourceMapFile(path),
      [Symbol.iterator]: () => own[Symbol.iterator](),
    };
  }
}

function isSource(path) {
  return path.endsWith('.ts') && !path.endsWith('.spec.ts');
}

exports.__esModule = true;
exports.default = SharedModulesRuntime;
