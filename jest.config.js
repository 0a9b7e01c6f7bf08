const swc = (parser) => [
  '@swc/jest',
  {
    sourceMaps: 'inline',
    module: { type: 'commonjs' },
    jsc: {
      target: 'es2023',
      keepClassNames: true,
      parser,
      transform: { legacyDecorator: true, decoratorMetadata: true },
    },
  },
];

const shared = {
  testEnvironment: '<rootDir>/test/support/shared.environment.cjs',
  runtime: '<rootDir>/test/support/shared-modules.runtime.cjs',
  moduleFileExtensions: ['js', 'json', 'ts'],
  transform: {
    '/apps/(demo|console)/src/(?!.+\\.spec\\.ts$).+\\.ts$':
      '<rootDir>/test/support/application-compiler.cjs',
    '^.+\\.ts$': swc({ syntax: 'typescript', decorators: true }),
    // PGlite imports Node's modules dynamically, which Jest's sandbox refuses; as require it runs.
    '/@electric-sql/pglite/.+\\.cjs$': swc({ syntax: 'ecmascript' }),
  },
  moduleNameMapper: {
    '^nestjs-agent$': '<rootDir>/libs/agent/src/index.ts',
    '^fast-check$': '<rootDir>/test/support/fast-check.cjs',
    '^nestjs-agent/([a-z-]+)$': '<rootDir>/libs/agent/src/$1/index.ts',
  },
  transformIgnorePatterns: ['/node_modules/(?!@electric-sql/pglite/)'],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
};

/** @type {import('jest').Config} */
module.exports = {
  // No test measures time: on a busy machine each may take its own.
  testTimeout: 60_000,
  // What test files leave behind fills a worker's heap until garbage collection takes half the time.
  workerIdleMemoryLimit: '1GB',
  projects: [
    {
      ...shared,
      displayName: 'unit',
      roots: ['<rootDir>/libs', '<rootDir>/apps'],
      modulePathIgnorePatterns: [...shared.modulePathIgnorePatterns, '<rootDir>/apps/react/'],
      testRegex: '\\.spec\\.ts$',
    },
    {
      ...shared,
      displayName: 'e2e',
      roots: ['<rootDir>/test'],
      testRegex: '\\.e2e-spec\\.ts$',
      setupFiles: ['<rootDir>/test/support/no-keys.ts'],
    },
    {
      ...shared,
      displayName: 'docs',
      roots: ['<rootDir>/docs'],
      testRegex: '\\.spec\\.ts$',
      setupFiles: ['<rootDir>/test/support/no-keys.ts'],
    },
  ],
};
