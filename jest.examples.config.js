const [unit] = require('./jest.config.js').projects;

// The examples as strangers run them: installed once, from dist/nestjs-agent, and started by npm.
/** @type {import('jest').Config} */
module.exports = {
  ...unit,
  displayName: 'examples',
  roots: ['<rootDir>/test/examples'],
  testRegex: '\\.example-spec\\.ts$',
  globalSetup: '<rootDir>/scripts/examples/install.mjs',
  globalTeardown: '<rootDir>/scripts/examples/remove.mjs',
  setupFiles: ['<rootDir>/test/support/no-keys.ts'],
  // What the compiler takes on a slow machine.
  testTimeout: 120_000,
};
