const [unit] = require('./jest.config.js').projects;

// Suites that need a PostgreSQL server; `npm test` needs none, so they stand apart.
/** @type {import('jest').Config} */
module.exports = {
  ...unit,
  workerIdleMemoryLimit: '1GB',
  displayName: 'services',
  testTimeout: 60_000,
  roots: ['<rootDir>/test/services'],
  testRegex: '\\.services-spec\\.ts$',
  globalSetup: '<rootDir>/test/services/reachable.setup.ts',
};
