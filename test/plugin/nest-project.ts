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
}
`,
};

/** An application in a folder of its own, whose commands are those of the Nest CLI. */
export class NestProject {
  readonly folder = mkdtempSync(join(tmpdir(), 'agent-nest-'));

  constructor() {
    for (const [path, content] of Object.entries(FILES))
      this.write(path, typeof content === 'string' ? content : JSON.stringify(content));
    symlinkSync(join(ROOT, 'node_modules'), join(this.folder, 'node_modules'));
  }

  remove(): void {
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

  /** `nest build --watch`. */
  watch(): NestWatch {
    return new NestWatch(this.folder);
  }
}

/** A watching build, in a process of its own. */
export class NestWatch {
  private readonly child;
  private readonly lines;

  constructor(cwd: string) {
    const args = [CLI, 'build', '--watch', '--preserveWatchOutput'];
    this.child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
    this.lines = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
  }

  /** What is printed until the next build is done; its last line counts the errors. */
  async printed(): Promise<readonly string[]> {
    const printed: string[] = [];
    for (;;) {
      const { value, done } = await this.lines.next();
      if (done === true) throw new Error(`The build has ended.\n${printed.join('\n')}`);
      printed.push(value);
      if (/Found \d+ errors?\./.test(value)) return printed;
    }
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.kill();
    await ended;
  }
}
