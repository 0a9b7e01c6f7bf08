import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installWith, ROOT } from './support/packed-package';
import { run } from './support/program';

const SNIPPETS = join(ROOT, 'docs/snippets/plugin');

/** What the guide has installed already. */
const TOOLS =
  '@nestjs/cli @nestjs/platform-express @nestjs/testing @swc/cli @swc/core @swc/jest @types/jest ' +
  '@types/node jest ts-jest typescript';

// As `nest new` sets them.
const COMPILER_OPTIONS = {
  module: 'nodenext',
  isolatedModules: true,
  target: 'ES2022',
  outDir: 'dist',
  strict: true,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  esModuleInterop: true,
  skipLibCheck: true,
};

const MAIN = `import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ToolRegistry } from 'nestjs-agent';
import { AppModule } from './app.module';
import { OrdersTools } from './orders.tools';

@Module({ imports: [AppModule], providers: [OrdersTools] })
class MainModule {}

export async function told(): Promise<unknown> {
  const application = await NestFactory.create(MainModule, { logger: false });
  await application.init();
  const { description, input_schema } = application.get(ToolRegistry).get('find')!;
  await application.close();
  return { description, input_schema };
}
`;

const SPEC = `import { readFileSync } from 'node:fs';
import { told } from './main';
it('is told', async () => {
  expect(await told()).toEqual(JSON.parse(readFileSync('told.json', 'utf8')));
});
`;

describe('an application that follows the guide to the compiler plugin', () => {
  let folder: string;
  let expected: unknown;
  const write = async (files: Readonly<Record<string, string | object>>) => {
    for (const [path, text] of Object.entries(files))
      await writeFile(join(folder, path), typeof text === 'string' ? text : JSON.stringify(text));
  };
  const snippet = (name: string, path = name) => cp(join(SNIPPETS, name), join(folder, path));
  const bin = (name: string, ...args: readonly string[]) =>
    run(process.execPath, [join(folder, 'node_modules', name), ...args], folder);
  const nest = (...args: readonly string[]) => bin('@nestjs/cli/bin/nest.js', ...args);
  const jestWith = (config: string) => bin('jest/bin/jest.js', '--config', config, '--no-cache');
  const printed = async () => {
    const print = `require('./dist/main').told().then((told) => console.log(JSON.stringify(told)))`;
    return JSON.parse(await run(process.execPath, ['-e', print], folder)) as unknown;
  };

  beforeAll(async () => {
    const { devDependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
      devDependencies: Readonly<Record<string, string>>;
    };
    const tools = TOOLS.split(' ').map((name) => `${name}@${devDependencies[name] ?? 'latest'}`);
    folder = await installWith(...tools);
    await mkdir(join(folder, 'src'));
    for (const name of ['orders.tools.ts', 'app.module.ts', 'metadata.ts'])
      await snippet(name, `src/${name}`);
    for (const name of ['generate-metadata.cjs', 'ts-jest.js', 'tsconfig.spec.json', 'swc-jest.js'])
      await snippet(name);
    const input_schema = JSON.parse(
      await readFile(join(SNIPPETS, 'definition.json'), 'utf8'),
    ) as object;
    expected = { description: 'Looks an order up by its number.', input_schema };
    await write({
      'tsconfig.json': { compilerOptions: COMPILER_OPTIONS, include: ['src'] },
      'tsconfig.build.json': { extends: './tsconfig.json', exclude: ['**/*.spec.ts'] },
      'told.json': expected as object,
      'src/main.ts': MAIN,
      'src/main.spec.ts': SPEC,
    });
  });

  it('is told by nest build what the guide shows', async () => {
    await snippet('nest-cli.json');
    await nest('build');
    expect(await printed()).toEqual(expected);
  });

  it('is told the same by ts-jest', async () => {
    await jestWith('ts-jest.js');
  });

  it('is told the same by nest build with SWC, which writes the metadata', async () => {
    await snippet('nest-cli-swc.json', 'nest-cli.json');
    await rm(join(folder, 'dist'), { recursive: true });
    await nest('build');
    expect(await printed()).toEqual(expected);
    // The next one checks the types of what the first has written.
    await nest('build');
  });

  it('is told the same by @swc/jest after the generator', async () => {
    await snippet('metadata.ts', 'src/metadata.ts');
    await expect(jestWith('swc-jest.js')).rejects.toThrow('is told');
    await bin('../generate-metadata.cjs');
    await jestWith('swc-jest.js');
  });

  it('is told the same by ts-jest beside metadata that was generated', async () => {
    expect(await readFile(join(folder, 'src/metadata.ts'), 'utf8')).toContain('orders.tools.js');
    await jestWith('ts-jest.js');
  });

  it('stops at a type that says nothing', async () => {
    const path = 'src/orders.tools.ts';
    const source = await readFile(join(folder, path), 'utf8');
    await snippet('nest-cli.json');
    await write({
      [path]: source.replace('tags?: string[]', 'tags?: any'),
    });
    await expect(nest('build')).rejects.toThrow(
      /orders\.tools\.ts.+TS910047: .+OrdersTools\.find: parameter "tags" is of type any/,
    );
  });
});
