// Turns the library in this process into a later release, whose jobs, entries of queued runs and events
// in Redis have a version that the release in this folder does not know:
//   node --require test/services/fleet/next-release.cjs application.ts
require('../../support/typescript-hook.cjs');
const Module = require('node:module');

const CHANGES = {
  'run/queue/run-job.ts': ['RUN_JOB_VERSION = 1', 'RUN_JOB_VERSION = 2'],
  'redis/event-text.ts': ['EVENT_VERSION = 1', 'EVENT_VERSION = 2'],
  'session/record/session-fold.ts': ['entry.v > _entries.ENTRY_VERSION', 'entry.v > 2'],
  'run/record/run-journal.ts': [
    'v: _session.ENTRY_VERSION',
    'v: /^(?:run.queued|run.taken|step.discarded)$/.test(entry.type) ? 2 : 1',
  ],
};

for (const path of Object.keys(CHANGES)) require.resolve(`../../../libs/agent/src/${path}`);

const load = Module._extensions['.ts'];
Module._extensions['.ts'] = (module, filename) => {
  const [, [from, to] = []] =
    Object.entries(CHANGES).find(([path]) => filename.endsWith(`/libs/agent/src/${path}`)) ?? [];
  if (from === undefined) return load(module, filename);
  const compile = module._compile.bind(module);
  module._compile = (code, name) => {
    if (!code.includes(from)) throw new Error(`${name} has no "${from}".`);
    return compile(code.replace(from, to), name);
  };
  return load(module, filename);
};
