import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const execute = promisify(execFile);

const ROOT = join(__dirname, '../..');
const CLI = join(ROOT, 'node_modules/@nestjs/cli/bin/nest.js');
/** With it, a started application finds the library, which is not built here. */
const HOOK = join(ROOT, 'test/support/typescript-hook.cjs');

/** As the Nest CLI sets a new application up, with the plugin in it. */
const FILES = {
  'package.json': {
    name: 'application',
    private: true,
    // The CLI would install it.
    dependencies: { '@nestjs/mapped-types': '*' },
  },
  'nest-cli.json': {
    collection: '@nestjs/schematics',
    sourceRoot: 'src',
    compilerOptions: { deleteOutDir: true, plugins: ['nestjs-agent/plugin'] },
  },
  'tsconfig.json': {
    compilerOptions: {
      module: 'nodenext',
      isolatedModules: true,
      declaration: true,
      removeComments: true,
      emitDecoratorMetadata: true,
      experimentalDecorators: true,
      target: 'ES2023',
      sourceMap: true,
      rootDir: './src',
      outDir: './dist',
      incremental: true,
      skipLibCheck: true,
      strictNullChecks: true,
      types: [],
    },
    include: ['src'],
  },
  // The whole package would take seconds to check.
  'src/nestjs-agent.d.ts': `declare module 'nestjs-agent' {
  export function Tool(options?: object): MethodDecorator;
  export const AgentModule: { forRoot(options: object): object };
  export class ToolRegistry { list(): { input_schema: object }[] }
}
`,
};

/** An application in a folder of its own, whose commands are those of the Nest CLI. */
export class NestProject {
  readonly folder = mkdtempSync(join(tmpdir(), 'agent-nest-'));
  private watching: NestWatch | undefined;

  constructor() {
    for (const [path, content] of Object.entries(FILES))
      this.write(path, typeof content === 'string' ? content : JSON.stringify(content));
    symlinkSync(join(ROOT, 'node_modules'), join(this.folder, 'node_modules'));
  }

  remove(): void {
    this.watching?.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), text);
  }

  edit(path: string, change: (text: string) => string): void {
    this.write(path, change(readFileSync(join(this.folder, path), 'utf8')));
  }

  /** Runs a command of the CLI to its end. */
  async nest(...args: readonly string[]): Promise<void> {
    await execute(process.execPath, [CLI, ...args], { cwd: this.folder });
  }

  /** What a compiled file exports. */
  load<Exports extends object>(path: string): Exports {
    return jest.requireActual<Exports>(join(this.folder, 'dist', path));
  }

  /** `nest build --watch` or `nest start --watch`. */
  watch(command: 'build' | 'start' = 'build'): NestWatch {
    this.watching = new NestWatch(this.folder, command);
    return this.watching;
  }
}

/** A watching build, and perhaps what it starts, in processes of their own. */
export class NestWatch {
  private readonly child;
  private readonly lines;

  constructor(cwd: string, command: string) {
    const args = [CLI, command, '--watch', '--preserveWatchOutput'];
    this.child = spawn(process.execPath, args, {
      cwd,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...(command === 'start' && { NODE_OPTIONS: `--require ${HOOK}` }) },
      // A group of its own, so that what it has started ends with it.
      detached: true,
    });
    this.lines = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
  }

  /** What is printed until the next build is done, or another line; by default it counts the errors. */
  async printed(last = /Found \d+ errors?\./): Promise<readonly string[]> {
    const printed: string[] = [];
    for (;;) {
      const { value, done } = await this.lines.next();
      if (done === true) throw new Error(`The build has ended.\n${printed.join('\n')}`);
      printed.push(value);
      if (last.test(value)) return printed;
    }
  }

  /** Ends it, if it still runs, with what it has started. */
  kill(): void {
    const { pid, exitCode, signalCode } = this.child;
    if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid);
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.kill();
    await ended;
  }
}
