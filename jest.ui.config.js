const [unit] = require('./jest.config.js').projects;

// Journeys in a real browser; `npm test` needs none, so they stand apart.
/** @type {import('jest').Config} */
module.exports = {
  ...unit,
  displayName: 'ui',
  testTimeout: 60_000,
  roots: ['<rootDir>/test/ui'],
  testRegex: '\\.ui-spec\\.ts$',
  globalSetup: '<rootDir>/test/ui/support/ready.setup.ts',
  setupFiles: ['<rootDir>/test/support/no-keys.ts'],
  // One browser at a time: several on few cores only slow each other down.
  maxWorkers: 1,
};
