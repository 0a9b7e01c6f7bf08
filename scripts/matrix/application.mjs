import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../package/paths.mjs';
import { run } from '../package/run.mjs';

const sources = join(dirname(fileURLToPath(import.meta.url)), 'app');
const typescript = join(root, 'node_modules/typescript/bin/tsc');

// For each generation of Nest, the packages of a typical application.
const VERSIONS = {
  oldest: {
    nest: '11.0.2',
    classTransformer: '0.4.1',
    classValidator: '0.13.2',
    reflectMetadata: '0.1.13',
    rxjs: '7.5.7',
  },
  // A minor that applications pin.
  pinned: { nest: '11.1.18', classValidator: '0.14.0', reflectMetadata: '0.2.2', rxjs: '7.8.1' },
  nest11: { nest: '^11.0.0', classValidator: '^0.15.1', reflectMetadata: '^0.2.2', rxjs: '^7.8.2' },
  nest12: { nest: '^12.0.0', classValidator: '^0.15.1', reflectMetadata: '^0.2.2', rxjs: '^7.8.2' },
};

/** Installs an application's packages and the tarball as a user would: `npm install`, no flags. */
export async function install(folder, { nest, platform, packages = {}, tarball }) {
  const versions = VERSIONS[nest];
  mkdirSync(folder, { recursive: true });
  writeJson(join(folder, 'package.json'), {
    name: 'application',
    private: true,
    dependencies: {
      '@nestjs/common': versions.nest,
      '@nestjs/core': versions.nest,
      [`@nestjs/platform-${platform}`]: versions.nest,
      'class-transformer': versions.classTransformer ?? '^0.5.1',
      'class-validator': versions.classValidator,
      'reflect-metadata': versions.reflectMetadata,
      rxjs: versions.rxjs,
      ...packages,
    },
  });
  await run('npm', ['install', tarball], { cwd: folder });
  // Fails if a peer does not fit, which only gives a warning above.
  await run('npm', ['ls', '--all'], { cwd: folder });
}

/** Compiles a conversation beside the installed packages, as CommonJS or ESM, types checked. */
export async function compile(folder, { main, format }) {
  const project = join(folder, `${main}-${format}`);
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
    files: [`src/${main}.ts`],
  });
  await run(process.execPath, [typescript, '-p', project]);
  return join(project, 'dist', `${main}.js`);
}

function writeJson(path, value) {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}
