import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/free-port';

const DEBIAN = '/usr/lib/postgresql';

/** A PostgreSQL of a test's own, which it may stop and start again. */
export class OwnPostgres {
  private child: ChildProcess | undefined;

  private constructor(
    private readonly port: number,
    private readonly folder: string,
    private readonly programs: string,
    private readonly user: { readonly uid?: number; readonly gid?: number },
  ) {}

  /** @throws Error where the server's programs are not installed */
  static async start(): Promise<OwnPostgres> {
    const programs = programsFolder();
    if (programs === undefined) {
      throw new Error('These tests need the programs of a PostgreSQL server (initdb, postgres).');
    }
    const folder = mkdtempSync(join(tmpdir(), 'nestjs-agent-postgres-'));
    const user = unprivileged();
    if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
    chmodSync(folder, 0o700);
    const args = ['-D', folder, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '-N'];
    const { status, stderr } = spawnSync(join(programs, 'initdb'), args, { ...user, cwd: folder });
    if (status !== 0) throw new Error(String(stderr));
    const postgres = new OwnPostgres(await freePort(), folder, programs, user);
    await postgres.up();
    return postgres;
  }

  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres`;
  }

  /**
   * Ends it, which breaks all connections, and starts it again.
   *
   * @param signal `SIGINT` to abort running statements, `SIGQUIT` to end as in a crash
   */
  async restart(signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
    await this.end(signal);
    await this.up();
  }

  async remove(): Promise<void> {
    await this.end('SIGQUIT');
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async up(): Promise<void> {
    const settings = [
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      'fsync=on',
      'lc_messages=C',
    ];
    const args = ['-D', this.folder, '-p', String(this.port)];
    this.child = spawn(
      join(this.programs, 'postgres'),
      [...args, ...settings.flatMap((setting) => ['-c', setting])],
      { ...this.user, cwd: this.folder, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    await ready(this.child);
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
}

/** Its port is open before it is ready. */
function ready({ stderr }: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('ready to accept connections')) resolve();
    });
    stderr?.once('end', () => reject(new Error(said)));
  });
}

/** Debian keeps the server's programs out of the PATH. */
function programsFolder(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : [];
  const folders = [
    ...versions
      .toSorted((one, other) => Number(other) - Number(one))
      .map((version) => join(DEBIAN, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(':'),
  ];
  return folders.find((folder) =>
    ['initdb', 'postgres'].every((program) => existsSync(join(folder, program))),
  );
}

/** The server refuses to run as root. */
function unprivileged(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = ['-u', '-g'].map((part) =>
    Number(spawnSync('id', [part, 'postgres']).stdout.toString()),
  );
  return { ...(uid !== undefined && { uid }), ...(gid !== undefined && { gid }) };
}
