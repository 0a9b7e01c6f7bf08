import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { entryOf, Program } from './support/demo/program';

describe('the console', () => {
  const entry = entryOf('console');

  it('answers one message and ends', async () => {
    const { code, stdout } = await Program.start(entry, ['list my applications']).ended();

    expect(stdout).toMatch(/→ list_applications \{\}\n✓ list_applications/);
    expect(stdout).toMatch(/demo-app[^]*test-service/);
    expect(stdout).not.toContain('api-gateway');
    expect(code).toBe(0);
  });

  it.each([
    ['--verbose', /^Unknown option '--verbose'/],
    ['--user=nobody', /^There is no user "nobody"/],
  ])('explains its arguments after %s', async (argument, problem) => {
    const { code, stderr } = await Program.start(entry, [argument]).ended();

    expect(stderr).toMatch(problem);
    expect(stderr).toContain('Usage: npm run console -- [--user alice|bob] ["message"]');
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(code).toBe(1);
  });

  it('explains its arguments with --help', async () => {
    const { code, stdout } = await Program.start(entry, ['--help']).ended();

    expect(stdout).toMatch(/^Usage: npm run console/);
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
    const silentModel = createServer().listen(0, '127.0.0.1');
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
