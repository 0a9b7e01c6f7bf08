// Where tests run: in the worker's own global scope, which shared-modules.runtime.cjs needs. Jest's own
// environment makes a scope for each file, where every module must be loaded and compiled again.
const { LegacyFakeTimers, ModernFakeTimers } = require('@jest/fake-timers');
const { TestEnvironment } = require('jest-environment-node');
const { ModuleMocker } = require('jest-mock');
const { AsyncLocalStorage } = require('node:async_hooks');
const fs = require('node:fs');
const process = require('node:process');
const { createContext } = require('node:vm');
const { needsOwnScope } = require('./own-scope.cjs');

// Jest uses these while a test replaces the global ones.
const ORIGINALS = {
  'jest-native-promise': Promise,
  'jest-native-now': Date.now,
  'jest-native-read-file': fs.readFileSync,
  'jest-native-write-file': fs.writeFileSync,
  'jest-native-exists-file': fs.existsSync,
};
/** Where OpenTelemetry's API keeps the providers that an application registers. */
const TELEMETRY = Symbol.for('opentelemetry.js.api.1');
/** Where Jest keeps a file's tests and their listeners, which would hear the next file's. */
const TESTS = new Set(['JEST_STATE_SYMBOL', 'EVENT_HANDLERS']);

// With every promise Node.js copies what each storage holds, also of those that no one needs any more.
const storages = new Set();
for (const name of ['run', 'enterWith']) {
  const original = AsyncLocalStorage.prototype[name];
  AsyncLocalStorage.prototype[name] = function (...parts) {
    storages.add(this);
    return original.apply(this, parts);
  };
}

module.exports = class SharedEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);

  constructor({ globalConfig, projectConfig }, context) {
    if (needsOwnScope(context.testPath, globalConfig))
      return new TestEnvironment({ globalConfig, projectConfig }, context);
    const config = projectConfig;
    const { global, moduleMocker } = this;
    for (const [name, value] of Object.entries(ORIGINALS)) global[Symbol.for(name)] = value;
    // Jest replaces both for each file.
    this.before = {
      console: globalThis.console,
      exit: process.exit,
      variables: { ...process.env },
    };
    const timerConfig = { idToRef: (id) => id, refToId: (timer) => timer };
    this.fakeTimers = new LegacyFakeTimers({ config, global, moduleMocker, timerConfig });
    this.fakeTimersModern = new ModernFakeTimers({ config, global });
    // Jest asks for it; the code runs outside.
    this.context = createContext();
  }

  setup() {}

  /** Each promise and timer that a test leaves behind refers to its test, which refers to its file. */
  handleTestEvent({ name }, { rootDescribeBlock }) {
    if (name === 'teardown') forget(rootDescribeBlock);
  }

  /** Takes back what a file may leave behind. */
  teardown() {
    this.moduleMocker.restoreAllMocks();
    this.fakeTimers.dispose();
    this.fakeTimersModern.dispose();
    const { console, exit, variables } = this.before;
    Object.assign(globalThis, { console });
    Object.assign(process, { exit });
    for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
    Object.assign(process.env, variables);
    delete globalThis[TELEMETRY];
    for (const key of Object.getOwnPropertySymbols(globalThis))
      if (TESTS.has(key.description)) delete globalThis[key];
    // One that is used again is enabled again.
    for (const storage of storages) storage.disable();
    storages.clear();
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return this.context;
  }
};

function forget({ children, hooks }) {
  for (const child of children) if (child.type === 'describeBlock') forget(child);
  for (const each of [...children, ...hooks])
    Object.assign(each, { fn: undefined, asyncError: undefined });
}
