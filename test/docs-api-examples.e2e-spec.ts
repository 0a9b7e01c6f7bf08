import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { examplesOf } from './support/doc-examples';
import { IMPLIED_MODULES, problemsOf } from './support/example-check';
import { ENTRY_POINTS, ModuleReader, root } from './support/module-reader';

interface Exported {
  readonly name: string;
  readonly node: ts.Declaration;
}

/** Options that the library hands to users' code: nobody writes them. */
const GIVEN = new Set(['AppendOptions']);

/** The page calls the workbench experimental, which has no entry point. */
const OF_THE_WORKBENCH = ['WorkbenchContext', 'WorkbenchOptions'];

describe('the examples in doc comments', () => {
  let reader: ModuleReader;
  let exported: readonly Exported[];

  beforeAll(() => {
    reader = new ModuleReader([...ENTRY_POINTS, ...IMPLIED_MODULES]);
    exported = ENTRY_POINTS.flatMap((entry) =>
      [...reader.exportsOf(entry)].flatMap(([name, symbol]) => {
        const node = symbol.declarations?.[0];
        return node === undefined ? [] : [{ name, node }];
      }),
    );
  }, 60_000);

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

  it('compile', () => {
    const examples = exported.flatMap(({ node }) => examplesOf(node));
    expect(examples.length).toBeGreaterThan(80);
    expect(problemsOf(examples, reader)).toEqual([]);
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

  it('are checked against the real types', () => {
    const wrong = { place: 'here', code: "AgentModule.forRoot({ maxSteps: 'many' });" };
    expect(problemsOf([wrong], reader)).toEqual([
      "here: Type 'string' is not assignable to type 'number'.",
    ]);
  }, 60_000);
});
