import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compiler, root } from '../package/paths.mjs';
import { run } from '../package/run.mjs';

const sources = join(dirname(fileURLToPath(import.meta.url)), 'app');

/** Installs an application's packages and the tarball as a user would: `npm install`, no flags. */
export async function install(folder, { nest, platforms, packages }, tarball) {
  mkdirSync(folder, { recursive: true });
  const ofNest = ['common', 'core', ...platforms.map((platform) => `platform-${platform}`)];
  writeJson(join(folder, 'package.json'), {
    name: 'application',
    private: true,
    dependencies: {
      ...Object.fromEntries(ofNest.map((name) => [`@nestjs/${name}`, nest])),
      ...packages,
    },
  });
  await run('npm', ['install', tarball], { cwd: folder });
  // Fails if a peer does not fit, which only gives a warning above.
  await run('npm', ['ls', '--all'], { cwd: folder });
}

/**
 * Compiles conversations beside the installed packages, as CommonJS or ESM, types checked. Answers
 * the folder of the programs.
 */
export async function compile(folder, { mains, format }) {
  const project = join(folder, format);
  cpSync(sources, join(project, 'src'), { recursive: true });
  writeJson(join(project, 'package.json'), { type: format === 'esm' ? 'module' : 'commonjs' });
  writeJson(join(project, 'tsconfig.json'), {
    compilerOptions: {
      module: 'nodenext',
      target: 'es2022',
      strict: true,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
      skipLibCheck: true,
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
      rootDir: 'src',
      outDir: 'dist',
    },
    files: mains.map((main) => `src/${main}.ts`),
  });
  await run(process.execPath, [compiler, '-p', project]);
  return join(project, 'dist');
}

function writeJson(path, value) {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}
