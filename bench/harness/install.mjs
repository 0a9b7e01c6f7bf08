import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../../scripts/package/paths.mjs';
import { run } from '../../scripts/package/run.mjs';
import { folder } from './paths.mjs';

const sources = join(folder, 'nest');
const compiled = join(folder, 'dist');

/** Installs the locked versions, with this library built and packed as npm users get it. */
export async function install() {
  await run('npm', ['run', '--silent', 'build:package'], { cwd: root });
  await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder });
}

/** Compiles the Nest applications, decorators included. */
export function compile() {
  const { transformFileSync } = createRequire(join(root, 'package.json'))('@swc/core');
  mkdirSync(compiled, { recursive: true });
  cpSync(join(sources, 'package.json'), join(compiled, 'package.json'));
  for (const name of readdirSync(sources).filter((name) => name.endsWith('.ts'))) {
    const { code } = transformFileSync(join(sources, name), {
      module: { type: 'commonjs' },
      jsc: {
        target: 'es2023',
        keepClassNames: true,
        parser: { syntax: 'typescript', decorators: true },
        transform: { legacyDecorator: true, decoratorMetadata: true },
      },
    });
    writeFileSync(join(compiled, name.replace(/\.ts$/, '.js')), code);
  }
}
