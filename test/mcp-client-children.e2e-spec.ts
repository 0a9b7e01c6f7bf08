import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { McpClientStdioOptions } from 'nestjs-agent/mcp';
import { ClientApp, Opened, until } from './mcp/client/client-app';

const PROGRAM = join(__dirname, 'mcp/client/child-server.cjs');

function child(
  behaviour: string,
  { env, ...more }: Partial<McpClientStdioOptions> = {},
): McpClientStdioOptions {
  const variables = { BEHAVIOUR: behaviour, ...env };
  return { command: process.execPath, args: [PROGRAM], env: variables, ...more };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('a server that is a child process', () => {
  const opened = new Opened();
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mcp-child-'));
  });
  afterEach(async () => {
    await opened.close();
    await rm(folder, { recursive: true });
  });

  const pidOf = async (app: ClientApp): Promise<number> =>
    Number((await app.call('x_pid')).content);

  it('is gone when the application has closed', async () => {
    const app = opened.add(await ClientApp.start({ x: child('usual') }));
    const pid = await pidOf(app);
    expect(isAlive(pid)).toBe(true);
    await app.close();
    expect(isAlive(pid)).toBe(false);
    expect(await app.call('x_pid')).toMatchObject({ error: { code: 'temporarily_unavailable' } });
  });

  it('runs in its own folder', async () => {
    const env = { PIDS: 'pids' };
    const app = opened.add(await ClientApp.start({ x: child('usual', { env, cwd: folder }) }));
    const pid = await pidOf(app);
    // The client also starts a program for a moment, to detect its protocol.
    const pids = (await readFile(join(folder, 'pids'), 'utf8')).trim().split('\n');
    expect(pids).toContain(String(pid));
  });

  it('is killed 5 s after it was asked to end, if it stays', async () => {
    const app = opened.add(await ClientApp.start({ x: child('stays') }));
    const pid = await pidOf(app);
    const since = performance.now();
    await app.close();
    expect(isAlive(pid)).toBe(false);
    expect(performance.now() - since).toBeGreaterThan(4_500);
  });

  it('is left, and started again, where it writes a line that does not end', async () => {
    const app = opened.add(await ClientApp.start({ x: child('endless') }));
    const pid = await pidOf(app);
    const { error } = await app.call('x_crash');
    expect(error).toMatchObject({ code: 'temporarily_unavailable' });
    await until(() => app.clients.status()[0]?.state === 'connected');
    expect(isAlive(pid)).toBe(false);
    expect(await pidOf(app)).not.toBe(pid);
  });

  it('cannot block the process with bad parts of its handshake', async () => {
    const app = opened.add(await ClientApp.start({ x: child('initialize') }));
    expect(app.log.of('warn').join()).toContain(
      'A message of the MCP server exceeds 262144 bytes.',
    );
  });

  it('counts as one of an older revision where its answer to the first question is too large', async () => {
    const app = opened.add(await ClientApp.start({ x: child('server/discover') }));
    expect(app.names()).toEqual(['x_pid', 'x_crash']);
  });

  it('ends a call by an error, however much data the error has', async () => {
    const app = opened.add(await ClientApp.start({ x: child('refuses') }));
    const { error } = await app.call('x_pid');
    expect(error).toMatchObject({ code: 'mcp_error', message: 'No.' });
  });

  it('is gone with the application, though it has just been left and stays', async () => {
    const app = opened.add(await ClientApp.start({ x: child('endless stays') }));
    const pid = await pidOf(app);
    const call = app.call('x_crash', {}, { signal: AbortSignal.timeout(1_500) });
    expect((await call).status).not.toBe('executed');
    await app.close();
    expect(isAlive(pid)).toBe(false);
  });

  it('cannot make answers to its own requests pile up by not reading them', async () => {
    const warnings: Error[] = [];
    const warn = (warning: Error): void => void warnings.push(warning);
    process.on('warning', warn);
    const app = opened.add(await ClientApp.start({ x: child('asks') }));
    await pidOf(app);
    expect(await app.call('x_pid')).toMatchObject({ status: 'executed' });
    process.off('warning', warn);
    // Each answer that waits listens for the pipe to drain.
    expect(warnings).toEqual([]);
  });

  it('that crashes in mid-call is started again, but the call is not made again', async () => {
    const calls = join(folder, 'calls');
    // Its claims do not make a call repeatable, not even with trust.
    const app = opened.add(
      await ClientApp.start({ x: child('usual', { env: { CALLS: calls }, trust: true }) }),
    );
    const pid = await pidOf(app);
    expect(app.tool('x_crash').traits).toMatchObject({ readOnly: true, idempotent: true });
    const crashed = await app.call('x_crash');
    expect(crashed).toMatchObject({
      status: 'failed',
      attempts: 1,
      error: { code: 'temporarily_unavailable', message: expect.stringContaining('is unknown') },
    });
    expect(await readFile(calls, 'utf8')).toBe('pid\ncrash\n');
    expect(await app.call('x_pid')).toMatchObject({ error: { code: 'temporarily_unavailable' } });
    expect(app.names()).toEqual(['x_pid', 'x_crash']);
    await until(() => app.clients.status()[0]?.state === 'connected');
    expect(await pidOf(app)).not.toBe(pid);
  });

  it('is called again where the application says that this does no harm', async () => {
    const calls = join(folder, 'calls');
    const retry = { maxAttempts: 2, initialBackoffMs: 1 };
    const tools = { options: { crash: { idempotent: true, retry } } };
    const app = opened.add(
      await ClientApp.start({ x: child('usual', { env: { CALLS: calls }, tools }) }),
    );
    expect(await app.call('x_crash')).toMatchObject({ attempts: 2 });
  });

  it('that never answers delays the boot no longer than connectTimeoutMs', async () => {
    const app = opened.add(
      await ClientApp.start({ x: child('silent', { connectTimeoutMs: 1_000 }) }),
    );
    expect(app.clients.status()).toEqual([{ name: 'x', state: 'unavailable', tools: [] }]);
    expect(app.log.of('warn').filter((line) => line.includes('McpClient x'))).toEqual([
      expect.stringContaining(`Cannot connect to ${process.execPath}: no answer within 1 s`),
    ]);
  });

  it('whose program or interpreter is missing is named in the log', async () => {
    const script = join(folder, 'script');
    await writeFile(script, '#!/no/such/interpreter\n', { mode: 0o755 });
    for (const command of ['no-such-program', script]) {
      const app = opened.add(await ClientApp.start({ x: { command } }));
      expect(app.log.of('warn').filter((line) => line.includes('McpClient x'))).toEqual([
        expect.stringContaining(
          `Cannot connect to ${command}: ENOENT, so the program, its interpreter or its cwd does not exist`,
        ),
      ]);
    }
  });

  it('that ends at once, as without a key that it needs, has its last words in the log', async () => {
    const program = 'console.error("Set API_KEY."); process.exitCode = 1';
    const server = { command: process.execPath, args: ['-e', program] };
    const app = opened.add(await ClientApp.start({ x: server }));
    expect(app.log.of('warn').filter((line) => line.includes('McpClient x'))).toEqual([
      expect.stringContaining(`Cannot connect to ${process.execPath}: the program ended before`),
    ]);
    expect(app.log.of('debug').join()).toContain('Set API_KEY.');
  });

  it('stops the boot if it is required, and leaves no other child behind', async () => {
    const pids = join(folder, 'pids');
    const boot = ClientApp.start({
      works: child('usual', { env: { PIDS: pids } }),
      missing: { command: join(folder, 'no-such-program'), required: true },
    });
    await expect(boot).rejects.toThrow(
      /^McpClientModule cannot start: "missing" cannot be reached and is required/,
    );
    const started = (await readFile(pids, 'utf8')).trim().split('\n').map(Number);
    expect(started.length).toBeGreaterThan(0);
    expect(started.filter(isAlive)).toEqual([]);
  });

  it('tells its stderr to the log at debug level, but not its variables', async () => {
    const env = { SECRET: 'hunter2-hunter2' };
    const app = opened.add(await ClientApp.start({ x: child('usual', { env }) }));
    await until(() => app.log.of('debug').some((line) => line.includes('My secret is ***.')));
    expect(app.log.lines.join('\n')).not.toContain('hunter2');
  });
});
