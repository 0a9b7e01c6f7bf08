import { join } from 'node:path';
import { root } from '../package/paths.mjs';
import { summaryOfClient, summaryOfInspector, summaryOfServer } from './summaries.mjs';

const ADAPTERS = ['express', 'fastify'];
const REVISIONS = ['2025-11-25', '2026-07-28'];
const ERAS = ['legacy', 'modern'];

/**
 * Scenarios for clients. The others cover authorization, and features that this client does not
 * offer.
 */
const SCENARIOS = {
  '2025-11-25': ['initialize', 'tools_call', 'sse-retry'],
  '2026-07-28': [
    'tools_call',
    'request-metadata',
    'http-standard-headers',
    'http-custom-headers',
    'http-invalid-tool-headers',
    'json-schema-ref-no-deref',
  ],
};

const programs = join(root, 'test/mcp/conformance');

const SERVER_CELLS = ADAPTERS.flatMap((adapter) => [
  ...REVISIONS.map((revision) => ({
    name: `${adapter} conformance ${revision}`,
    adapter,
    program: 'conformance',
    summary: summaryOfServer,
    args: (url) => [
      'server',
      '--url',
      url,
      '--requirements',
      revision,
      '--expected-failures',
      join(programs, `baseline-${revision}.yml`),
    ],
  })),
  ...ERAS.map((era) => ({
    name: `${adapter} inspector ${era}`,
    adapter,
    program: 'inspector',
    summary: summaryOfInspector,
    args: (url) => [
      '--cli',
      url,
      '--transport',
      'http',
      '--protocol-era',
      era,
      '--method',
      'tools/list',
      '--strict',
    ],
  })),
]);

const CLIENT_CELLS = Object.entries(SCENARIOS).flatMap(([revision, scenarios]) =>
  scenarios.map((scenario) => ({
    name: `client ${revision} ${scenario}`,
    program: 'conformance',
    summary: summaryOfClient,
    args: () => [
      'client',
      '--command',
      ourClient(),
      '--scenario',
      scenario,
      '--spec-version',
      revision,
      // The checks as JSON.
      '--verbose',
    ],
  })),
);

const ALL = [...SERVER_CELLS, ...CLIENT_CELLS];

/**
 * The cells whose name contains every given word; all cells by default.
 *
 * @throws Error if there is none
 */
export function chooseCells(words) {
  const chosen = ALL.filter(({ name }) => words.every((word) => name.split(' ').includes(word)));
  if (chosen.length > 0) return chosen;
  throw new Error(`No cell has all of these in its name: ${words.join(' ')}`);
}

/** A command line for a shell, to which the suite adds the address of its server. */
function ourClient() {
  const hook = join(root, 'test/support/typescript-hook.cjs');
  const words = [process.execPath, '--require', hook, join(programs, 'client.ts')];
  return words.map((word) => `"${word}"`).join(' ');
}
