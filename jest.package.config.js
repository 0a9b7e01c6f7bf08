const [unit] = require('./jest.config.js').projects;

// Suites about the package as it is published, from dist/nestjs-agent; they install it with npm.
/** @type {import('jest').Config} */
module.exports = {
  ...unit,
  workerIdleMemoryLimit: '1GB',
  displayName: 'package',
  roots: ['<rootDir>/test/package'],
  testRegex: '\\.package-spec\\.ts$',
  globalSetup: '<rootDir>/test/package/support/packed.setup.ts',
  globalTeardown: '<rootDir>/test/package/support/packed.teardown.ts',
  // Test files share what they install.
  maxWorkers: 1,
  // What npm and the compiler take on a slow machine.
  testTimeout: 300_000,
};
