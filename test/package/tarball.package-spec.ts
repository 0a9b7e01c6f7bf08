import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  BUILT,
  packedFolder,
  readPacked,
  ROOT,
  type Packed,
  type PackedFile,
} from './support/packed-package';
import { run } from './support/program';

interface Manifest {
  readonly main: string;
  readonly types: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly bundleDependencies: readonly string[];
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>;
}

// What an application takes in by importing the root: all but the subpaths and what is bundled.
const OUTSIDE_THE_CORE =
  /^(?:ai-sdk|anthropic|bullmq|cli|endpoints|evals|mcp|models|otel|plugin|redis|schematics|sql|testing|ui|node_modules)\//;
/** The protocols of front-ends, which have a bound of their own. */
const PROTOCOLS = /^http\/(?:(?:controllers|answers)\/)?(?:ai-sdk|ag-ui|responses)[./]/;
/** The workbench, which few processes serve; its page is 80 kB, in two languages, 28 kB compressed. */
const WORKBENCH =
  /^(?:http\/workbench|run\/inspection)\/|^invocation\/call\/call-watch\.|^invocation\/catalog\/tool-explainer\.|^invocation\/dispatch\/passage\.|^model\/tool-dialect/;
const KB = 1_000;

describe('the tarball', () => {
  let packed: Packed;
  let manifest: Manifest;
  let paths: readonly string[];
  beforeAll(async () => {
    packed = await readPacked();
    manifest = JSON.parse(await readFile(join(BUILT, 'package.json'), 'utf8')) as Manifest;
    paths = packed.files.map(({ path }) => path);
  });

  it('holds the code, its types, the licence and what to read first', () => {
    expect(paths).toEqual(
      expect.arrayContaining(['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'index.js']),
    );
  });

  it('holds the licences of what it contains of others', async () => {
    const text = await readFile(join(BUILT, 'THIRD-PARTY.md'), 'utf8');

    expect(paths).toContain('THIRD-PARTY.md');
    for (const name of ['dompurify', 'marked', 'preact', ...manifest.bundleDependencies]) {
      expect(text).toMatch(new RegExp(`^### ${name} \\d[^]+?^Licence: .*(?:MIT|Apache-2.0)`, 'm'));
    }
  });

  it('holds every file that its manifest names', () => {
    const named = Object.values(manifest.exports).flatMap((target) =>
      typeof target === 'string' ? [target] : Object.values(target),
    );

    expect(named.length).toBeGreaterThan(5);
    const commands = Object.values(manifest.bin);
    expect(commands).toHaveLength(1);
    for (const target of [...named, ...commands, manifest.main, manifest.types]) {
      expect(target).toMatch(/^\.\//);
      expect(paths).toContain(target.slice(2));
    }
  });

  it('holds nothing but compiled code, types, the chat page and texts', () => {
    const others = paths.filter(
      (path) =>
        !/\.(?:js|d\.ts)$/.test(path) &&
        !path.startsWith('ui/assets/') &&
        !['schematics/collection.json', 'evals/agent-evals.schema.json'].includes(path) &&
        !/^(?:node_modules\/@golevelup\/nestjs-discovery\/)?(?:package\.json|README\.md|LICENSE|CHANGELOG\.md|THIRD-PARTY\.md)$/.test(
          path,
        ),
    );

    expect(others).toEqual([]);
  });

  it('holds no tests, fixtures or benchmarks', () => {
    const ours = paths.filter((path) => !path.startsWith('node_modules/'));

    expect(
      ours.filter((path) => /(?<!in)spec|fixture|(?<!work)bench|__|\.case/i.test(path)),
    ).toEqual([]);
    expect(
      ours.filter((path) => /(?<!la)test/i.test(path) && !path.startsWith('testing/')),
    ).toEqual([]);
  });

  it('declares what its users can import, and nothing further in', () => {
    const declared = paths.filter((path) => path.endsWith('.d.ts'));

    expect(declared).toEqual(
      expect.arrayContaining(['index.d.ts', 'sql/index.d.ts', 'run/api/agent.service.d.ts']),
    );
    expect(declared).not.toContain('agent.assembly.d.ts');
    expect(paths).toContain('agent.assembly.js');
  });

  it('declares its MCP client without the types of the optional package', async () => {
    const declared = paths.filter((path) => /^mcp\/.*\.d\.ts$/.test(path));
    const texts = await Promise.all(
      declared.map(async (path) => [path, await readFile(join(BUILT, path), 'utf8')] as const),
    );
    expect(declared.length).toBeGreaterThan(10);
    const imports = /(?:from|import\()\s*['"]@modelcontextprotocol/;
    expect(texts.filter(([, text]) => imports.test(text)).map(([path]) => path)).toEqual([]);
  });

  it('loads nothing that only tests need', async () => {
    const sources = await Promise.all(
      paths
        .filter((path) => path.endsWith('.js') && !OUTSIDE_THE_CORE.test(path))
        .map(async (path) => [path, await readFile(join(BUILT, path), 'utf8')] as const),
    );

    const testOnly = /require\("(?:[^"]*\/testing(?:\/[^"]*)?|@nestjs\/testing|fast-check|jest)"\)/;
    expect(sources.filter(([, code]) => testOnly.test(code)).map(([path]) => path)).toEqual([]);
  });

  it('needs TypeScript in the compiler plugin alone', async () => {
    const scripts = paths.filter((path) => path.endsWith('.js') && !path.includes('node_modules/'));
    const needing: string[] = [];
    for (const path of scripts) {
      const code = await readFile(join(BUILT, path), 'utf8');
      if (/require\("typescript"\)/.test(code)) needing.push(path);
    }
    expect(needing.length).toBeGreaterThan(0);
    expect(needing.filter((path) => !path.startsWith('plugin/'))).toEqual([]);
    const plugin = jest.requireActual<object>(join(BUILT, 'plugin/index.js'));
    expect(Object.keys(plugin).sort()).toEqual([
      'PluginMetadataGenerator',
      'ReadonlyVisitor',
      'before',
      'factory',
      'name',
      'version',
    ]);
  });

  it('has a command that Node runs, and a schema of its files for editors', async () => {
    const command = await readFile(join(BUILT, manifest.bin['nestjs-agent'] ?? ''), 'utf8');
    expect(command).toMatch(/^#!\/usr\/bin\/env node\n/);
    expect(paths).toContain('evals/agent-evals.schema.json');
  });

  // npm reckons with the newest release of an optional peer, too: swagger 12 beside Nest 11 ended
  // an install with ERESOLVE where a framework brings Nest.
  it('asks npm for no optional package that follows the version of Nest', () => {
    const peers = Object.keys(manifest.peerDependencies);
    expect(peers.filter((name) => name.startsWith('@nestjs/'))).toEqual([
      '@nestjs/common',
      '@nestjs/core',
    ]);
    // pnpm and Yarn let the package load it by this alone.
    expect(manifest.peerDependenciesMeta).toHaveProperty(['@nestjs/swagger', 'optional'], true);
  });

  it('leaves the fields of the workspace behind', () => {
    expect(Object.keys(manifest)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(?:private|scripts|devDependencies)$/)]),
    );
  });

  it('carries the discovery package, with its licence and peers as wide as ours', async () => {
    const [name = ''] = manifest.bundleDependencies;
    const copy = join(BUILT, 'node_modules', name);
    const bundled = JSON.parse(await readFile(join(copy, 'package.json'), 'utf8')) as Manifest;

    expect(paths).toContain(`node_modules/${name}/LICENSE`);
    expect(paths).toContain(`node_modules/${name}/lib/index.js`);
    for (const [peer, range] of Object.entries(bundled.peerDependencies)) {
      expect({ peer, range }).toEqual({ peer, range: manifest.peerDependencies[peer] });
    }
  });

  it('carries the chat page', () => {
    expect(paths).toEqual(
      expect.arrayContaining(['ui/assets/agent-chat.js', 'ui/assets/agent-chat.mjs']),
    );
  });

  it('stays within its size', () => {
    const sum = (files: readonly PackedFile[]) =>
      files.reduce((bytes, { size }) => bytes + size, 0);
    const core = packed.files.filter(({ path }) => !OUTSIDE_THE_CORE.test(path));

    const scripts = core.filter(({ path }) => path.endsWith('.js'));
    const isOfCore = ({ path }: PackedFile) => !PROTOCOLS.test(path) && !WORKBENCH.test(path);
    expect(sum(scripts.filter(isOfCore))).toBeLessThan(1_590 * KB);
    expect(sum(scripts.filter(({ path }) => WORKBENCH.test(path)))).toBeLessThan(60 * KB);
    const page = packed.files.filter(({ path }) => path === 'ui/assets/agent-workbench.js');
    expect(page).toHaveLength(1);
    expect(sum(page)).toBeLessThan(80 * KB);
    const chat = packed.files.filter(({ path }) => path === 'ui/assets/agent-chat.js');
    expect(sum(chat)).toBeLessThan(186 * KB);
    expect(sum(scripts.filter(({ path }) => PROTOCOLS.test(path)))).toBeLessThan(180 * KB);
    const mcp = packed.files.filter(({ path }) => path.startsWith('mcp/'));
    expect(sum(mcp.filter(({ path }) => path.endsWith('.js')))).toBeLessThan(250 * KB);
    expect(sum(core.filter(({ path }) => path.endsWith('.d.ts')))).toBeLessThan(430 * KB);
    expect(packed.size).toBeLessThan(1_000 * KB);
  });

  it('is what publint calls sound', async () => {
    const publint = join(ROOT, 'node_modules/publint/src/cli.js');
    const output = await run(process.execPath, [publint, '--strict', BUILT], ROOT);

    expect(output).toContain('All good');
  });

  it('has types that resolve under node16, nodenext and bundler, from CommonJS and from ESM', async () => {
    const attw = join(ROOT, 'node_modules/@arethetypeswrong/cli/dist/index.js');
    // The widget is for a browser's bundler, which imports: nobody requires it.
    const widget = ['--exclude-entrypoints', './ui/agent-chat.js'];
    const output = await run(
      process.execPath,
      [attw, join(packedFolder(), packed.filename), '--format', 'json', '--no-color', ...widget],
      ROOT,
    );

    const { analysis } = JSON.parse(output) as {
      analysis: { problems: readonly unknown[]; entrypoints: Record<string, unknown> };
    };
    expect(analysis.problems).toEqual([]);
    expect(Object.keys(analysis.entrypoints)).toEqual(
      expect.arrayContaining([
        '.',
        './ai-sdk',
        './anthropic',
        './bullmq',
        './endpoints',
        './evals',
        './models',
        './otel',
        './redis',
        './sql',
        './testing',
        './ui',
      ]),
    );
  });
});
