import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';

const EXAMPLES = join(__dirname, '../../examples');
const IMPORTED = /(?:from|import) '(?<name>(?:@[^/']+\/)?[^./'][^/']*)/g;

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const names = readdirSync(EXAMPLES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

// They are installed together here, so a package of one would be found by all.
describe.each(names)('the example %s', (name) => {
  const manifest = JSON.parse(
    readFileSync(join(EXAMPLES, name, 'package.json'), 'utf8'),
  ) as Manifest;

  it('depends on what it imports', () => {
    const imported = filesOf(join(EXAMPLES, name))
      .flatMap((path) => [...readFileSync(path, 'utf8').matchAll(IMPORTED)])
      .map((match) => match.groups?.name ?? '')
      .filter((each) => !isBuiltin(each));
    const packages = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
    const named = packages.map((each) => each.replace(/^@types\//, ''));

    expect(imported).toContain('nestjs-agent');
    expect(imported.filter((each) => !named.includes(each))).toEqual([]);
  });

  it('has a README of at most 40 lines, and one command that starts it', () => {
    const readme = readFileSync(join(EXAMPLES, name, 'README.md'), 'utf8');

    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(40);
    expect(readme).toContain('npm install\nnpm start\n');
    expect(manifest.scripts).toHaveProperty('start');
  });
});

function filesOf(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return /node_modules|dist/.test(entry.name) ? [] : filesOf(path);
    return /\.m?tsx?$/.test(entry.name) ? [path] : [];
  });
}
