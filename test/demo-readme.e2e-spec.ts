import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { ChatResult } from 'nestjs-agent';
import { DEMO_USERS } from '../apps/demo/src/auth/users.seed';
import { chatCommand } from '../apps/demo/src/welcome';
import { build, Program } from './support/built-program';

const README = readFileSync(join(__dirname, '../README.md'), 'utf8');
const BUILD_MS = 240_000;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('the README', () => {
  it('shows the command that the demo prints', () => {
    expect(README).toContain(chatCommand('http://127.0.0.1:3000'));
  });

  it.each(DEMO_USERS)('lists $id with password and role', ({ id, password, role }) => {
    expect(README).toMatch(new RegExp(`\\| \`${id}\` +\\| \`${password}\` +\\| \`${role}\` `));
  });
});

describe('the built demo', () => {
  let program: Program | undefined;
  let address: string;
  beforeAll(async () => {
    const entry = build('demo');
    const port = await freePort();
    address = `http://127.0.0.1:${port}`;
    program = Program.start(entry, [], { PORT: String(port) });
  }, BUILD_MS);
  afterAll(() => program?.stop());

  it('prints a command that logs in and chats as it stands', async () => {
    const output = (await program?.printed('"}\'\n')) ?? '';
    const command = output.split('\n').find((line) => line.startsWith('curl '));

    expect(command).toBe(chatCommand(address));
    const answer = JSON.parse(
      execFileSync('sh', ['-c', command ?? ''], { encoding: 'utf8' }),
    ) as ChatResult;
    expect(answer).toMatchObject({
      status: 'completed',
      message: expect.stringMatching(/demo-app[^]*test-service/),
    });
  });
});

describe('the built console', () => {
  let entry: string;
  beforeAll(() => {
    entry = build('console');
  }, BUILD_MS);

  it('answers one message and ends', async () => {
    const { code, stdout } = await Program.start(entry, ['list my applications']).ended();

    expect(stdout).toMatch(/→ list_applications \{\}\n✓ list_applications/);
    expect(stdout).toMatch(/demo-app[^]*test-service/);
    expect(stdout).not.toContain('api-gateway');
    expect(code).toBe(0);
  });

  it('shows what another user sees', async () => {
    const { stdout } = await Program.start(entry, [
      '--user',
      'bob',
      'list my applications',
    ]).ended();

    expect(stdout).toContain('api-gateway');
  });

  it('holds a conversation until its input ends', async () => {
    const program = Program.start(entry, []);
    program.write('add 2 and 40\n');
    await program.printed('42');
    program.write('show me failed workflows for demo-app\n');
    await program.printed('smoke tests demo-app');
    program.endInput();

    expect(await program.ended()).toMatchObject({ code: 0 });
  });

  it('ends at once on Ctrl-C when nothing runs', async () => {
    const program = Program.start(entry, []);
    await program.printed('> ');
    program.signal('SIGINT');

    expect(await program.ended()).toMatchObject({ code: 130 });
  });

  it('cancels the answer under way on Ctrl-C, and ends on a second one', async () => {
    const silentModel = createHttpServer().listen(0, '127.0.0.1');
    await once(silentModel, 'listening');
    const { port } = silentModel.address() as AddressInfo;
    const program = Program.start(entry, [], { OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` });
    program.write('tell me a story\n');
    await once(silentModel, 'request');
    program.signal('SIGINT');
    expect(await program.printed('(cancelled)')).not.toContain('error');
    program.signal('SIGINT');

    expect(await program.ended()).toMatchObject({ code: 130 });
    silentModel.closeAllConnections();
    silentModel.close();
  });
});
