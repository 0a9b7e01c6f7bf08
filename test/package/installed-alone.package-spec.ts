import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ALONE, installWith, ROOT } from './support/packed-package';
import { run } from './support/program';
import { TypeCheck } from './support/type-check';

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>;
}

// Prints the packages that the process has loaded so far.
const PRINT_LOADED = `const paths = Object.keys(require.cache);
  const names = paths.map((path) => /.*node_modules[/\\\\]((?:@[^/\\\\]+[/\\\\])?[^/\\\\]+)/.exec(path)?.[1]);
  console.log(JSON.stringify([...new Set(names)]));`;

const USING_TYPES = `import { AgentModule, openai, type ChatResult } from 'nestjs-agent';
  import { McpClientModule, McpServerModule } from 'nestjs-agent/mcp';
  import { ScriptedModel } from 'nestjs-agent/testing';
  export const mcp = [McpServerModule.forRoot(), McpClientModule.forRoot({ servers: {} })];
  export const root = AgentModule.forRoot({ model: openai({ model: 'any' }) });
  export const scripted = new ScriptedModel(['hello']);
  export const text = (result: ChatResult): string => result.message;`;

describe('the package, installed with nothing optional', () => {
  let folder: string;
  let optional: readonly string[];
  const types = new TypeCheck();
  const evaluate = (code: string) => run(process.execPath, ['-e', code], folder);
  beforeAll(async () => {
    folder = await installWith(...ALONE);
    const path = join(folder, 'node_modules/nestjs-agent/package.json');
    const manifest = JSON.parse(await readFile(path, 'utf8')) as Manifest;
    optional = Object.keys(manifest.peerDependenciesMeta);
  });

  it('brings no optional package along', () => {
    expect(optional).toEqual(expect.arrayContaining(['@anthropic-ai/sdk', 'kysely', 'pg']));
    expect(optional.filter((name) => existsSync(join(folder, 'node_modules', name)))).toEqual([]);
  });

  it('leaves a tree without conflicts on the newest Nest', async () => {
    await expect(run('npm', ['ls', '--all'], folder)).resolves.toContain('nestjs-agent@');
  });

  it('loads by its root neither what is optional nor what a model needs at its first call', async () => {
    const output = await evaluate(`require('nestjs-agent'); ${PRINT_LOADED}`);
    const loaded = JSON.parse(output) as string[];

    expect(loaded).toEqual(expect.arrayContaining(['nestjs-agent', '@nestjs/core']));
    for (const name of [...optional, 'openai', 'gpt-tokenizer']) expect(loaded).not.toContain(name);
  });

  it('loads by its root a fraction of its files', async () => {
    const output = await evaluate(`require('nestjs-agent');
      console.log(Object.keys(require.cache).filter((path) => /node_modules.nestjs-agent.(?!node_modules)/.test(path)).length)`);

    expect(Number(output)).toBeGreaterThan(100);
    expect(Number(output)).toBeLessThan(300);
  });

  it.each([
    'nestjs-agent',
    'nestjs-agent/ai-sdk',
    'nestjs-agent/anthropic',
    'nestjs-agent/bullmq',
    'nestjs-agent/endpoints',
    'nestjs-agent/evals',
    'nestjs-agent/mcp',
    'nestjs-agent/models',
    'nestjs-agent/redis',
    'nestjs-agent/sql',
    'nestjs-agent/ui',
  ])('offers the same names of %s to require() and to import', async (name) => {
    const output = await evaluate(`import('${name}').then((module) => console.log(JSON.stringify([
        Object.keys(require('${name}')).sort(),
        Object.keys(module).filter((key) => !['default', 'module.exports', '__esModule'].includes(key)).sort(),
      ])))`);
    const [required, imported] = JSON.parse(output) as string[][];

    expect(required?.length).toBeGreaterThan(0);
    expect(imported).toEqual(required);
  });

  it.each([
    [
      'anthropic',
      'npm install @anthropic-ai/sdk',
      `const model = require('nestjs-agent/anthropic').anthropic({ model: 'any', apiKey: 'none' });
       const request = { messages: [], tools: [] };
       model.stream(request, { signal: new AbortController().signal })[Symbol.asyncIterator]().next()`,
    ],
    [
      'redis',
      'npm install ioredis',
      `new Promise((resolve) => resolve(require('nestjs-agent/redis').redisBus({ url: 'redis://127.0.0.1' })))`,
    ],
    [
      'sql, served',
      'npm install kysely pg',
      `require('nestjs-agent/sql').sqlStore({ connectionString: 'postgres://127.0.0.1/any' }).open()`,
    ],
    [
      'sql, embedded',
      'npm install kysely @electric-sql/pglite',
      `require('nestjs-agent/sql').sqlStore({ dataDir: './data' }).open()`,
    ],
    [
      'bullmq, on Redis',
      'npm install bullmq ioredis',
      `require('nestjs-agent/bullmq').bullmqRuns({ connection: { host: '127.0.0.1' } }).open()`,
    ],
    [
      'bullmq, on PostgreSQL',
      'npm install bullmq pg',
      `require('nestjs-agent/bullmq').bullmqRuns({ backend: 'postgres', connection: { connectionString: 'postgres://127.0.0.1/any' } }).open()`,
    ],
  ])('says what to install for %s: %s', async (_, command, code) => {
    const output = await evaluate(
      `${code}.then(() => console.log('no error'), (error) => console.log(error.message))`,
    );

    expect(output.trim()).toMatch(new RegExp(`${command}$`));
  });

  it('has a command, which says what to install for YAML', async () => {
    await writeFile(join(folder, 'agent.evals.yaml'), 'cases: []');
    const command = join(folder, 'node_modules/.bin/nestjs-agent');

    expect(await run(command, ['--help'], folder)).toContain('nestjs-agent eval [file]');
    await expect(run(command, ['eval', 'agent.evals.yaml'], folder)).rejects.toThrow(
      'agent.evals.yaml needs the package yaml. Install with: npm install --save-dev yaml',
    );
  });

  it('has testing tools that load outside a test, and say that a contract needs one', async () => {
    const output = await evaluate(`const { describeSessionStore } = require('nestjs-agent/testing');
      try { describeSessionStore('any', {}); } catch (error) { console.log(error.message); }`);

    expect(output).toContain('needs the globals describe, it and expect');
  });

  it('finds the chat page beside it', async () => {
    const output = await evaluate(
      `require('nestjs-agent/ui').readUiAsset('agent-chat.js').then(({ content }) => console.log(content.length))`,
    );

    expect(Number(output)).toBeGreaterThan(10_000);
  });

  it('lets `nest add` import the module into the application', async () => {
    await mkdir(join(folder, 'src'));
    const path = join(folder, 'src/app.module.ts');
    await writeFile(
      path,
      "import { Module } from '@nestjs/common';\n\n@Module({ imports: [] })\nexport class AppModule {}\n",
    );
    // The program that `nest add` runs once npm is done.
    const schematics = join(ROOT, 'node_modules/@angular-devkit/schematics-cli/bin/schematics.js');
    await run(process.execPath, [schematics, 'nestjs-agent:nest-add', '--source-root=src'], folder);

    const source = await readFile(path, 'utf8');
    expect(source).toContain("import { AgentModule } from 'nestjs-agent';");
    expect(source).toContain('imports: [AgentModule.forRoot()]');
  });

  it.each([
    ['nodenext', 'module', 'es2023'],
    ['nodenext', 'commonjs', 'es2023'],
    ['nodenext', 'commonjs', 'es2015'],
    // TypeScript's node16 refuses every CommonJS declaration that imports an ES module, such as
    // Nest 12; its nodenext knows that Node can.
    ['node16', 'module', 'es2023', { skipLibCheck: true }],
    ['bundler', 'module', 'es2023'],
  ])(
    'has types of the core and of MCP that need nothing optional, under %s from a %s for %s',
    async (moduleResolution, type, target, more: object = {}) => {
      const project = join(folder, `${moduleResolution}-${type}-${target}`);
      await mkdir(project);
      await writeFile(join(project, 'package.json'), JSON.stringify({ type }));
      await writeFile(join(project, 'main.ts'), USING_TYPES);
      const module = moduleResolution === 'bundler' ? 'esnext' : moduleResolution;
      const options = { moduleResolution, module, target, ...more };

      expect(types.errorsOf(project, options)).toEqual([]);
    },
  );
});
