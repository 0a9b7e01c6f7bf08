import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { examplesOf } from './support/doc-examples';
import { IMPLIED_MODULES, problemsOf } from './support/example-check';
import { ENTRY_POINTS, ModuleReader, root } from './support/module-reader';
import { TypeWalk } from './support/type-walk';

interface Exported {
  readonly name: string;
  readonly node: ts.Declaration;
}

/** Options that the library hands to users' code: nobody writes them. */
const GIVEN = new Set(['AppendOptions']);

/** The page calls the workbench experimental, which has no entry point. */
const OF_THE_WORKBENCH = ['WorkbenchContext', 'WorkbenchOptions'];

// One program for all that is asked about the entry points: it takes seconds.
let reader: ModuleReader;
beforeAll(() => {
  reader = new ModuleReader([...ENTRY_POINTS, ...IMPLIED_MODULES]);
}, 60_000);

describe('the examples in doc comments', () => {
  let exported: readonly Exported[];

  beforeAll(() => {
    exported = ENTRY_POINTS.flatMap((entry) =>
      [...reader.exportsOf(entry)].flatMap(([name, symbol]) => {
        const node = symbol.declarations?.[0];
        return node === undefined ? [] : [{ name, node }];
      }),
    );
  });

  it('are there for every function, class and option object that users write by hand', () => {
    const written = exported.filter(
      ({ name, node }) =>
        ts.isFunctionDeclaration(node) ||
        (ts.isVariableDeclaration(node) && /^[a-z]/.test(name)) ||
        (ts.isClassDeclaration(node) && !name.endsWith('Error')) ||
        (/(Options|Definition|Declaration)$/.test(name) && !GIVEN.has(name)),
    );
    expect(written.length).toBeGreaterThan(60);
    const bare = written.filter(({ node }) => examplesOf(node).length === 0);
    expect(bare.map(({ name }) => name)).toEqual([]);
  });

  it('compile, and are checked against the real types', () => {
    const examples = exported.flatMap(({ node }) => examplesOf(node));
    expect(examples.length).toBeGreaterThan(80);
    const wrong = { place: 'here', code: "AgentModule.forRoot({ maxSteps: 'many' });" };
    expect(problemsOf([...examples, wrong], reader)).toEqual([
      "here: Type 'string' is not assignable to type 'number'.",
    ]);
  }, 60_000);

  it('stand beside @experimental on all that docs/stability.md calls so, and on nothing else', () => {
    const page = readFileSync(join(root, 'docs/stability.md'), 'utf8');
    const called = [...page.matchAll(/^\| `(nestjs-agent\/[\w-]+)` /gm)].map(([, entry]) => entry);
    const isTagged = (symbol: ts.Symbol) =>
      symbol.getJsDocTags().some(({ name }) => name === 'experimental');

    for (const entry of ENTRY_POINTS) {
      const exports = [...reader.exportsOf(entry)];
      const tagged = exports.filter(([, symbol]) => isTagged(symbol)).map(([name]) => name);
      const expected = exports
        .map(([name]) => name)
        .filter((name) => called.includes(entry) || OF_THE_WORKBENCH.includes(name));
      expect({ entry, tagged }).toEqual({ entry, tagged: expected });
    }
    expect(called).toContain('nestjs-agent/otel');
  });
});

/**
 * TypeScript writes the types of what an application returns into its declarations, which Nest's own
 * settings ask for. It refuses a type that no entry point exports.
 */
describe('the types of public methods', () => {
  const entries = ENTRY_POINTS.filter((name) => !name.endsWith('.js'));
  const exportsOf = (name: string) => [...reader.exportsOf(name).values()];

  it.each(entries)('are all exported where an application of %s finds them', (name) => {
    const own = exportsOf(name);
    const everywhere = ['nestjs-agent', 'nestjs-agent/types'].flatMap(exportsOf);
    const exported = new Set([...own, ...everywhere]);
    const reached = new TypeWalk(reader.program.getTypeChecker()).from(own);

    expect(reached.size).toBeGreaterThanOrEqual(name === 'nestjs-agent' ? 200 : 0);
    expect([...reached].filter((type) => !exported.has(type)).map((type) => type.name)).toEqual([]);
  });

  it('are exported once, and only if they are reached', () => {
    const root = exportsOf('nestjs-agent');
    const reached = new TypeWalk(reader.program.getTypeChecker()).from(root);
    const missed = exportsOf('nestjs-agent/types').filter(
      (type) => root.includes(type) || !reached.has(type),
    );

    expect(missed.map((type) => type.name)).toEqual([]);
  });
});
