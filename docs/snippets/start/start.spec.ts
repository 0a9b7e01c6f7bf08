import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Program } from '../../../test/support/demo/program';
import { freePort, listening } from '../../../test/support/free-port';
import { GuideApp } from '../../../test/support/guide-app';
import { shownJson } from '../../../test/support/shown-json';
import { LoginModule } from './login.module';

function read(name: string): string {
  return readFileSync(join(__dirname, name), 'utf8');
}

describe('the guide to start with', () => {
  let program: Program | undefined;
  let port: number;
  beforeAll(async () => {
    port = await freePort();
    program = Program.start(join(__dirname, 'main.ts'), [], {
      PORT: String(port),
      NO_COLOR: '1',
    });
    await program.printed('successfully started');
    await listening(port);
  }, 60_000);
  afterAll(() => program?.stop());

  function ask(command: string): Record<string, unknown> {
    const there = command.replace('127.0.0.1:3000', `127.0.0.1:${port}`);
    return JSON.parse(execFileSync('sh', ['-c', there], { encoding: 'utf8' })) as never;
  }

  it('answers as the user who asks', () => {
    expect(shownJson(ask(read('ask.sh')))).toEqual(shownJson(JSON.parse(read('answer.json'))));
  });

  it('refuses whom the guard refuses', () => {
    expect(ask(read('ask.sh').replace('Bearer ada', 'Bearer eve'))).toMatchObject({
      statusCode: 403,
    });
  });
});

describe('a log-in by middleware', () => {
  let guide: GuideApp;
  beforeAll(async () => {
    guide = await GuideApp.start(LoginModule);
  });
  afterAll(() => guide.close());

  it('decides on the chat and on what tools call', async () => {
    expect((await guide.call('who_am_i')).output).toBe('{"id":"ada"}');
    expect((await guide.post('/agent/chat', { message: 'Hi' }, 'eve')).status).toBe(401);
  });

  it('lets the page pass', async () => {
    for (const path of ['/agent/ui', '/agent/ui/agent-chat.js', '/agent/health']) {
      expect((await guide.get(path, 'eve')).status).toBe(200);
    }
  });
});
