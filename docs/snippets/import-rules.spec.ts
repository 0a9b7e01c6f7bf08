import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

const ROOT = join(__dirname, '../..');
const OXLINT = join(ROOT, 'node_modules/oxlint/bin/oxlint');

const LAYERS = {
  src: 'src',
  layers: ['cellar', 'shop'],
  subpaths: ['mail', 'types'],
  wiring: ['street'],
  wired: ['types'],
};
const CONFIG = {
  categories: { correctness: 'off' },
  plugins: ['import'],
  jsPlugins: [join(ROOT, 'scripts/lint/imports.mjs')],
  rules: {
    'imports/doors': 'error',
    'imports/layers': ['error', LAYERS],
    'imports/type-imports': 'error',
    'import/no-cycle': 'error',
  },
};

const FILES: Readonly<Record<string, string>> = {
  '.oxlintrc.json': JSON.stringify(CONFIG),
  'src/cellar/index.ts': `export * from './wine';`,
  'src/cellar/wine.ts': 'export class Wine {}',
  'src/cellar/rack/index.ts': 'export const rack = 1;',
  'src/cellar/rack/board.ts': 'export const board = 1;',
  'src/cellar/shelf/tea.ts': 'export const tea = 1;',
  'src/shop/index.ts': 'export const till = 1;',
  'src/mail/index.ts': 'export const mail = 1;',
  'src/street.ts': 'export const street = 1;',
};

/** A folder, an import of a file in it, and the rule that refuses it. */
const CASES: readonly (readonly [folder: string, text: string, rule?: string])[] = [
  ['shop', `export { Wine } from '../cellar/wine';`, 'imports(doors)'],
  ['shop', `export { tea } from '../cellar/shelf/tea';`, 'imports(doors)'],
  ['shop', `export { board } from '../cellar/rack/board';`, 'imports(doors)'],
  ['cellar', `export { board } from './rack/board';`, 'imports(doors)'],
  ['shop', `export type A = import('../cellar/wine').Wine;`, 'imports(doors)'],
  ['cellar', `export { till } from '../shop';`, 'imports(layers)'],
  ['cellar', `export const a = () => require('../shop');`, 'imports(layers)'],
  ['cellar', `export const a = () => import('../shop');`, 'imports(layers)'],
  ['shop', `export { mail } from '../mail';`, 'imports(layers)'],
  ['shop', `export { street } from '../street';`, 'imports(layers)'],
  ['mail', `export { street } from '../street';`, 'imports(layers)'],
  ['types', `export { mail } from '../mail';`, 'imports(layers)'],
  ['shop', `import { Wine } from '../cellar'; export type A = Wine;`, 'imports(type-imports)'],
  ['shop', `export * from './14'; export const a = 1;`, 'import(no-cycle)'],
  ['shop', `export { a } from './13';`, 'import(no-cycle)'],
  ['shop', `export { Wine } from '../cellar';`],
  ['shop', `export { rack } from '../cellar/rack';`],
  ['cellar', `export { tea } from './shelf/tea';`],
  ['cellar/rack', `export { Wine } from '../wine';`],
  ['mail', `export { till } from '../shop';`],
  ['types', `export { street } from '../street';`],
  ['.', `export { mail } from './mail';`],
  ['shop', `export * from './missing';`],
  ['shop', `import type { Wine } from '../cellar'; export type A = Wine;`],
  ['shop', `import { type Wine } from '../cellar'; export type A = Wine;`],
  ['shop', `import { Wine } from '../cellar'; export const a = (b: Wine) => b ?? Wine;`],
  // Its metadata has the class.
  ['shop', `import { Wine } from '../cellar'; @Object export class A { constructor(b: Wine) {} }`],
];

describe("the project's rules of lint", () => {
  let found: readonly { readonly code: string; readonly filename: string }[];
  beforeAll(() => {
    const root = mkdtempSync(join(tmpdir(), 'nestjs-agent-lint-'));
    const cases = CASES.map(
      ([folder, text], index) => [`src/${folder}/${index}.ts`, text] as const,
    );
    try {
      for (const [name, text] of [...Object.entries(FILES), ...cases]) {
        mkdirSync(dirname(join(root, name)), { recursive: true });
        writeFileSync(join(root, name), text);
      }
      const run = spawnSync(process.execPath, [OXLINT, '--format=json'], {
        cwd: root,
        encoding: 'utf8',
      });
      found = (JSON.parse(run.stdout) as { diagnostics: typeof found }).diagnostics;
    } finally {
      rmSync(root, { recursive: true });
    }
  });

  it.each(CASES.map((each, index) => [...each.slice(0, 2), each[2] ?? 'no rule', index] as const))(
    'in %s, %s is refused by %s',
    (...[, , rule, index]) => {
      const own = found.filter(({ filename }) => basename(filename) === `${index}.ts`);
      expect(own.map(({ code }) => code)).toEqual(rule === 'no rule' ? [] : [rule]);
    },
  );

  it('find nothing in the files that are imported', () => {
    expect(found.filter(({ filename }) => filename in FILES)).toEqual([]);
  });
});
