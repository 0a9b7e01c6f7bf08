const [unit] = require('./jest.config.js').projects;

// Recorded answers of real services, which stand beside the repository and are not part of it.
/** @type {import('jest').Config} */
module.exports = {
  ...unit,
  workerIdleMemoryLimit: '1GB',
  displayName: 'recordings',
  testTimeout: 60_000,
  roots: ['<rootDir>/test/recordings'],
  testRegex: '\\.recordings-spec\\.ts$',
  setupFiles: ['<rootDir>/test/support/no-keys.ts'],
};
