const NEST = ['nest11', 'nest12'];
const PLATFORMS = ['express', 'fastify'];
const FORMATS = ['cjs', 'esm'];
const NODES = [20, 22, 24, 26];

// The lower ends of our peer ranges, and a minor of Nest 11 between them and the newest.
const OLDEST = [cell('oldest', 'express', 'cjs', 20), cell('pinned', 'fastify', 'cjs', 20)];

// Together with Nest 12: three provider packages of the `ai` 7 line and its client, and OpenAI's
// Agents SDK, which need Node 22; and OpenTelemetry's SDK 3.x of the 0.30x line, which needs Node
// 22.15.
const NEWEST = {
  '@ai-sdk/anthropic': '^4.0.0',
  '@ai-sdk/google': '^4.0.0',
  '@ai-sdk/openai': '^4.0.0',
  '@openai/agents': '^0.20.0',
  '@opentelemetry/api': '^1.10.0',
  '@opentelemetry/context-async-hooks': '^3.1.0',
  '@opentelemetry/sdk-metrics': '^3.1.0',
  '@opentelemetry/sdk-trace': '^3.1.0',
  ai: '^7.0.0',
  zod: '^4.0.0',
};
const BESIDE_NEST12 = ['ai7', 'agents', 'otel3'].map((kind) => ({
  ...cell('nest12', 'express', 'esm', 24),
  name: `nest12 ${kind} esm node24`,
  main: `main.${kind}`,
  beside: 'newest',
  packages: NEWEST,
}));

// OpenTelemetry: the oldest packages that are supported beside the oldest Nest, the last 2.x beside
// Nest 11 and 12.
const OTEL = [
  otelCell('oldest', 'cjs', 20, { api: '1.9.0', sdk: '2.0.0' }),
  otelCell('nest11', 'cjs', 20, { api: '^1.9.1', sdk: '^2.12.0' }),
  otelCell('nest12', 'esm', 22, { api: '^1.9.1', sdk: '^2.12.0' }),
];

// The official instrumentations for the SDK 3.x, which patch CommonJS as it is loaded.
const OTEL_HTTP = {
  ...cell('nest11', 'express', 'cjs', 24),
  name: 'nest11 otel3http cjs node24',
  main: 'main.otel3http',
  beside: 'otel3http',
  packages: {
    '@opentelemetry/api': '^1.10.0',
    '@opentelemetry/context-async-hooks': '^3.1.0',
    '@opentelemetry/core': '^3.1.0',
    '@opentelemetry/instrumentation-express': '^0.72.0',
    '@opentelemetry/instrumentation-http': '^0.301.0',
    '@opentelemetry/instrumentation-nestjs-core': '^0.71.0',
    '@opentelemetry/instrumentation-undici': '^0.34.0',
    '@opentelemetry/sdk-trace': '^3.1.0',
  },
};

// Every value of every axis once or twice. Nest 12 is ESM only, so CommonJS on the oldest Node is
// the cell where it is most likely to break.
const CORNERS = [
  ...OLDEST.map(({ name }) => name),
  'nest11 express cjs node20',
  'nest11 fastify esm node26',
  'nest12 express cjs node20',
  'nest12 fastify esm node24',
  ...BESIDE_NEST12.map(({ name }) => name),
  'oldest otel2 cjs node20',
  'nest12 otel2 esm node22',
  OTEL_HTTP.name,
];

const ALL = [
  ...OLDEST,
  ...BESIDE_NEST12,
  ...OTEL,
  OTEL_HTTP,
  ...NEST.flatMap((nest) =>
    PLATFORMS.flatMap((platform) =>
      FORMATS.flatMap((format) => NODES.map((node) => cell(nest, platform, format, node))),
    ),
  ),
];

function cell(nest, platform, format, node) {
  const name = `${nest} ${platform} ${format} node${node}`;
  return { name, nest, platform, format, node, main: `main.${platform}` };
}

function otelCell(nest, format, node, { api, sdk }) {
  return {
    ...cell(nest, 'express', format, node),
    name: `${nest} otel2 ${format} node${node}`,
    main: 'main.otel',
    beside: 'otel2',
    packages: {
      '@opentelemetry/api': api,
      '@opentelemetry/context-async-hooks': sdk,
      '@opentelemetry/sdk-metrics': sdk,
      '@opentelemetry/sdk-trace-base': sdk,
    },
  };
}

/**
 * The cells that the arguments choose: all, `--corners`, or those whose name contains every given
 * word.
 *
 * @throws Error if there is none
 */
export function chooseCells(args) {
  const words = args.filter((argument) => argument !== '--corners');
  const cells = args.includes('--corners') ? ALL.filter(isCorner) : ALL;
  const chosen = cells.filter(({ name }) => words.every((word) => name.split(' ').includes(word)));
  if (chosen.length > 0) return chosen;
  throw new Error(`No cell of the matrix has all of these in its name: ${words.join(' ')}`);
}

function isCorner({ name }) {
  return CORNERS.includes(name);
}
