const NEST = ['nest11', 'nest12'];
const PLATFORMS = ['express', 'fastify'];
const FORMATS = ['cjs', 'esm'];
const NODES = [20, 22, 24, 26];

// The lower ends of our peer ranges, and a minor of Nest 11 between them and the newest. Their
// applications have one platform each: neither needs the other.
const OLDEST = [cell('oldest', 'express', 'cjs', 20), cell('pinned', 'fastify', 'cjs', 20)];

// Together with Nest 12: three provider packages of the `ai` 7 line and its client, and OpenAI's
// Agents SDK, which need Node 22; and OpenTelemetry's SDK 3.x of the 0.30x line, which needs Node
// 22.15.
const BESIDE_NEST12 = ['ai7', 'agents', 'otel3'].map((kind) => ({
  ...cell('nest12', 'express', 'esm', 24),
  name: `nest12 ${kind} esm node24`,
  application: 'newest',
  main: `main.${kind}`,
}));

// OpenTelemetry: the oldest packages that are supported beside the oldest Nest, the last 2.x beside
// Nest 11 and 12.
const OTEL = [
  otelCell('oldest', 'oldest', 'cjs', 20),
  otelCell('nest11', 'otel2', 'cjs', 20),
  otelCell('nest12', 'nest12', 'esm', 22),
];

// The official instrumentations for the SDK 3.x, which patch CommonJS as it is loaded.
const OTEL_HTTP = {
  ...cell('nest11', 'express', 'cjs', 24),
  name: 'nest11 otel3http cjs node24',
  main: 'main.otel3http',
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

/** A conversation, `main`, in an application of `versions.mjs`, compiled as one kind of module. */
function cell(nest, platform, format, node) {
  const name = `${nest} ${platform} ${format} node${node}`;
  return { name, application: nest, format, node, main: `main.${platform}` };
}

function otelCell(nest, application, format, node) {
  const name = `${nest} otel2 ${format} node${node}`;
  return { name, application, format, node, main: 'main.otel' };
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
