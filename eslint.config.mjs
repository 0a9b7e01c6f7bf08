import eslint from '@eslint/js';
import importX, { createNodeResolver } from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';
import { roomDoors } from './scripts/lint/room-doors.mjs';

// Each layer imports only from the layers named before it (docs/architecture.md).
const layers = [
  'internal',
  'message',
  'checks',
  'tool',
  'telemetry',
  'schema',
  'decorators',
  'registry',
  'discovery',
  'invocation',
  'model',
  'session',
  'run',
  'evals',
  'http',
];
// Subpaths of the package that no layer rests on; `ui` is assets alone, which http serves.
const subpaths = [
  'ai-sdk',
  'anthropic',
  'bullmq',
  'cli',
  'endpoints',
  'mcp',
  'models',
  'otel',
  'plugin',
  'redis',
  'sql',
  'testing',
  'types',
];
const src = './libs/agent/src';
const wiring = [
  `${src}/options`,
  ...[
    'agent.assembly',
    'agent.defaults',
    'agent.feature',
    'agent.module',
    'agent.providers',
    'index',
  ].map((file) => `${src}/${file}.ts`),
];
const zones = layers.map((layer, index) => ({
  target: `${src}/${layer}`,
  from: [
    ...layers.slice(index + 1).map((later) => `${src}/${later}`),
    ...wiring,
    ...subpaths.map((subpath) => `${src}/${subpath}`),
  ],
  message: `${layer}/ may import only from: ${layers.slice(0, index).join(', ') || 'nothing'}.`,
}));
// What importing the package does not load (docs/decisions/0036): each is loaded at its first use.
const onDemand = [
  '^(ajv/dist/2020|ajv-formats|class-transformer(/(cjs|esm5)/storage)?|class-validator)$',
  '^(minisearch|undici)$',
  '^@modelcontextprotocol/client(/stdio)?$',
  '^@nestjs/cli/lib/compiler/plugins/plugin-metadata-generator$',
  '^\\./(agent\\.(assembly|feature)|validate-instance|tool-dialects|tool-option-checks|(offline|openai|react)\\.model)$',
  '^\\.\\./\\.\\./evals$',
];
// They rest on layers, never on the wiring or on one another. `types` has the options' types as well.
const subpathZones = subpaths.map((subpath) => ({
  target: `${src}/${subpath}`,
  from: [
    ...(subpath === 'types' ? [] : wiring),
    ...subpaths.filter((other) => other !== subpath).map((other) => `${src}/${other}`),
  ],
  message: `${subpath}/ may import only from the layers.`,
}));

export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', '**/coverage/**'] },
  eslint.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    // The rules that need types are in .oxlintrc.json.
    extends: [...tseslint.configs.recommended],
    languageOptions: {
      // What tsconfig.json says, which decides on `import type`.
      parserOptions: {
        emitDecoratorMetadata: true,
        experimentalDecorators: true,
        jsxPragma: null,
      },
    },
    plugins: { 'import-x': importX },
    settings: {
      'import-x/resolver-next': [
        createNodeResolver({ extensions: ['.ts', '.tsx', '.mjs', '.js'] }),
      ],
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      'import-x/no-cycle': ['error', { ignoreExternal: true }],
      'no-console': 'error',
    },
  },
  {
    // The layer picture is about the code that ships; a unit test may use the testing tools.
    files: ['libs/agent/src/**/*.ts'],
    ignores: ['**/*.spec.ts', '**/fixtures/**'],
    plugins: { rooms: { rules: { doors: roomDoors } } },
    rules: {
      'import-x/no-restricted-paths': ['error', { zones: [...zones, ...subpathZones] }],
      'rooms/doors': 'error',
      '@typescript-eslint/no-require-imports': ['error', { allow: onDemand }],
    },
  },
  {
    // An end-to-end test sees what an application sees. Providers for tests are shared with units.
    files: ['test/**/*.ts'],
    ignores: ['test/support/models/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: 'libs/agent/src(/|$)',
              message:
                'Import nestjs-agent or one of its subpaths; a test of an internal stands beside it.',
            },
          ],
        },
      ],
    },
  },
  { files: ['examples/**/*.mts'] },
  {
    // What runs in a browser as it stands.
    files: [
      'apps/demo/src/pages/public/**/*.js',
      'docs/snippets/**/*.js',
      'examples/*/public/**/*.js',
    ],
    languageOptions: {
      globals: {
        customElements: 'readonly',
        document: 'readonly',
        fetch: 'readonly',
        location: 'readonly',
        matchMedia: 'readonly',
        sessionStorage: 'readonly',
        FormData: 'readonly',
        URL: 'readonly',
        URLSearchParams: 'readonly',
        atob: 'readonly',
        CSS: 'readonly',
      },
    },
  },
  {
    files: ['**/*.js', '**/*.cjs', '**/*.mjs'],
    languageOptions: {
      globals: {
        __dirname: 'readonly',
        module: 'writable',
        require: 'readonly',
        process: 'readonly',
        console: 'readonly',
      },
    },
  },
  {
    files: ['bench/**/*.mjs'],
    languageOptions: {
      globals: {
        AbortController: 'readonly',
        AbortSignal: 'readonly',
        Buffer: 'readonly',
        TextDecoder: 'readonly',
        URL: 'readonly',
        setImmediate: 'readonly',
        setTimeout: 'readonly',
      },
    },
  },
);
