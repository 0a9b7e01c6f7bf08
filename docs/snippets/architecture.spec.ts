import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const REPOSITORY = join(__dirname, '../..');
const LAYERS = join(REPOSITORY, 'libs/agent/src');
const DECISIONS = join(REPOSITORY, 'docs/decisions');
const PAGE = readFileSync(join(REPOSITORY, 'docs/architecture.md'), 'utf8');

function section(title: string): string {
  const [, rest = ''] = PAGE.split(`\n## ${title}\n`);
  return rest.split('\n## ')[0] ?? '';
}

function codeIn(text: string): readonly string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

/** The rooms in a layer, by their folders: those of tests' fixtures are not for readers. */
function roomsOf(layer: string): readonly string[] {
  return readdirSync(join(LAYERS, layer), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('/index.ts') && !file.includes('fixtures/'))
    .map((file) => dirname(file))
    .sort();
}

describe('the page about the architecture', () => {
  it('names every layer and subpath', () => {
    const layers = readdirSync(LAYERS, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    const missing = layers.filter((name) => !new RegExp(`\\b${name}\\b`).test(section('Layers')));
    expect(missing).toEqual([]);
  });

  it('names every room, and none that is not there', () => {
    const lines = [...section('Rooms').matchAll(/^- `([^`]+)`: (.*)$/gm)];
    const named = new Map(
      lines.map(([, layer = '', rooms = '']) => [layer, [...codeIn(rooms)].sort()]),
    );
    const present = readdirSync(LAYERS, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => [name, roomsOf(name)] as const)
      .filter(([, rooms]) => rooms.length > 0);
    expect(Object.fromEntries(named)).toEqual(Object.fromEntries(present));
  });

  it('names no file or folder that is not there', () => {
    const missing: string[] = [];
    for (const line of PAGE.split('\n')) {
      let before = LAYERS;
      for (const code of codeIn(line)) {
        const isPath = /^[\w.-]+(?:\/[\w.-]+)*$/.test(code) && /\/|\.ts$/.test(code);
        if (line.startsWith('- `') || !isPath) continue;
        // "there": beside the file that was named before.
        const places = [LAYERS, REPOSITORY, before].map((folder) => join(folder, code));
        const found = places.find((place) => existsSync(place));
        if (found === undefined) missing.push(code);
        else before = dirname(found);
      }
    }
    expect(missing).toEqual([]);
  });

  it('lists every decision, and none that is not there', () => {
    const listed = [...section('Decisions').matchAll(/\(decisions\/([^)]+)\)/g)];
    expect(listed.map(([, file = '']) => file).sort()).toEqual(readdirSync(DECISIONS).sort());
  });
});
