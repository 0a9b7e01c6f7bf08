import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const CONFIG = '.oxlintrc.types.json';
const SOURCE = `const numbers: readonly number[] = [1];
export const text: string = numbers[0];
export const later = (): void => {
  Promise.resolve(text);
};
`;

describe('lint', () => {
  it('says what the compiler says, and has rules that need types', () => {
    const folder = mkdtempSync(join(tmpdir(), 'nestjs-agent-lint-'));
    const compilerOptions = { strict: true, noUncheckedIndexedAccess: true, types: [] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    writeFileSync(join(folder, 'main.ts'), SOURCE);
    cpSync(join(ROOT, CONFIG), join(folder, CONFIG));
    const oxlint = join(ROOT, 'node_modules/oxlint/bin/oxlint');
    const { stdout, status } = spawnSync(
      process.execPath,
      [oxlint, '-c', CONFIG, '--format', 'unix'],
      {
        cwd: folder,
        encoding: 'utf8',
      },
    );
    rmSync(folder, { recursive: true });

    expect(stdout).toMatch(/^main\.ts:2:14: .+ 'number \| undefined' is not assignable .+TS2322/m);
    expect(stdout).toMatch(/^main\.ts:4:3: .+no-floating-promises/m);
    expect(status).toBe(1);
  });
});
