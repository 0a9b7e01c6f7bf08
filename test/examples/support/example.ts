import { spawn, type ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort, listening } from '../../support/free-port';

const FOLDER = process.env.EXAMPLES_FOLDER ?? '';
const STARTED = /Nest application successfully started/;

/** An example, started as its README says, on a port of its own. */
export class Example {
  private output = '';
  private readonly changes = new EventEmitter();

  private constructor(
    readonly name: string,
    readonly port: number,
    private readonly program: ChildProcess,
  ) {
    for (const stream of [program.stdout, program.stderr])
      stream?.setEncoding('utf8').on('data', (chunk: string) => this.tell(chunk));
    program.once('exit', () => this.changes.emit('change'));
  }

  static async start(name: string, environment: NodeJS.ProcessEnv = {}): Promise<Example> {
    const example = Example.run(name, await freePort(), ['start'], environment);
    await example.printed(STARTED);
    await listening(example.port);
    return example;
  }

  /** Runs npm in the folder of the example. */
  static run(
    name: string,
    port: number,
    command: readonly string[],
    environment: NodeJS.ProcessEnv = {},
  ): Example {
    const program = spawn('npm', command, {
      cwd: join(FOLDER, name),
      env: { ...process.env, ...environment, PORT: String(port), NO_COLOR: '1' },
      detached: true, // a group of its own: npm's children end with it
    });
    return new Example(name, port, program);
  }

  get address(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Resolves with the first match in what it has printed, once there is one. */
  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.output);
      if (match !== null) return match;
      if (this.program.exitCode !== null) throw new Error(`It ended:\n${this.output}`);
      await once(this.changes, 'change');
    }
  }

  /** Posts JSON, and answers the JSON that comes back. */
  async post(path: string, body: object, headers: Record<string, string> = {}): Promise<unknown> {
    const response = await fetch(`${this.address}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return response.json();
  }

  /** What a shell prints for these commands, in the folder of the example. */
  async shell(commands: string): Promise<string> {
    const there = commands.replaceAll('127.0.0.1:3000', `127.0.0.1:${this.port}`);
    const shell = spawn('bash', ['-c', there], { cwd: join(FOLDER, this.name) });
    const [printed] = await Promise.all([text(shell.stdout), once(shell, 'close')]);
    return printed;
  }

  private tell(chunk: string): void {
    this.output += chunk;
    this.changes.emit('change');
  }

  async stop(): Promise<void> {
    if (this.program.exitCode !== null) return;
    const ended = once(this.program, 'close');
    process.kill(-this.program.pid!, 'SIGTERM');
    await ended;
  }
}
