import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = join(__dirname, '../..');
const RULE = pathToFileURL(join(ROOT, 'scripts/lint/type-errors.mjs')).href;
const SOURCE = `const numbers: readonly number[] = [1];
export const text: string = numbers[0];
`;

// As eslint.config.mjs has it.
const LINT = `import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { typeErrors } from '${RULE}';

const [tsconfigRootDir, source] = process.argv.slice(1);
const messages = new Linter({ cwd: tsconfigRootDir }).verify(
  source,
  {
    files: ['**/*.ts'],
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: { project: ['tsconfig.json'], tsconfigRootDir },
    },
    plugins: { compiler: { rules: { errors: typeErrors } } },
    rules: { 'compiler/errors': 'error' },
  },
  tsconfigRootDir + '/main.ts',
);
console.log(JSON.stringify(messages.map(({ line, message }) => line + ': ' + message)));
`;

describe('the lint rule about types', () => {
  it('says what the compiler says, at its place', () => {
    const folder = mkdtempSync(join(tmpdir(), 'nestjs-agent-types-'));
    const compilerOptions = { strict: true, noUncheckedIndexedAccess: true, types: [] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    writeFileSync(join(folder, 'main.ts'), SOURCE);
    const program = ['--input-type=module', '-e', LINT, folder, SOURCE];
    const { stdout } = spawnSync(process.execPath, program, { cwd: ROOT, encoding: 'utf8' });
    rmSync(folder, { recursive: true });

    expect(JSON.parse(stdout)).toEqual([
      expect.stringMatching(/^2: TS2322: Type 'number \| undefined' is not assignable to .*string/),
    ]);
  });
});
