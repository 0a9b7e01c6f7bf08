import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChatResult } from 'nestjs-agent';
import { DEMO_USERS } from '../apps/demo/src/auth/users.seed';
import { chatCommand } from '../apps/demo/src/welcome';
import { DemoClient } from './support/demo/demo-client';
import { buildDemo, BUILD_MS, Program } from './support/demo/program';
import definitions from './support/demo/tool-definitions.json';
import { freePort } from './support/free-port';

const hasCurl = spawnSync('curl', ['--version']).status === 0;
const README = readFileSync(join(__dirname, '../README.md'), 'utf8');
jest.setTimeout(BUILD_MS);

describe('the README', () => {
  it('shows the command that the demo prints', () => {
    expect(README).toContain(chatCommand('http://127.0.0.1:3000'));
  });

  it.each(DEMO_USERS)('lists $id with password and role', ({ id, password, role }) => {
    expect(README).toMatch(new RegExp(`\\| \`${id}\` +\\| \`${password}\` +\\| \`${role}\` `));
  });
});

describe('the built demo', () => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'nestjs-agent-demo-'));
  let program: Program | undefined;
  let address: string;
  beforeAll(async () => {
    const entry = buildDemo();
    const port = await freePort();
    address = `http://127.0.0.1:${port}`;
    program = Program.start(entry, [], { PORT: String(port), DATA_DIR });
  });
  afterAll(async () => {
    await program?.stop();
    rmSync(DATA_DIR, { recursive: true });
  });

  const itWithCurl = hasCurl ? it : it.skip;
  const unless = hasCurl ? '' : ' (skipped: curl is not installed)';
  itWithCurl(`prints a command that logs in and chats as it stands${unless}`, async () => {
    const output = (await program?.printed('have"}\'\n')) ?? '';
    const command = output.slice(output.indexOf('curl ')).trimEnd();

    expect(command).toBe(chatCommand(address));
    const answer = JSON.parse(
      execFileSync('sh', ['-c', command], { encoding: 'utf8' }),
    ) as ChatResult;
    expect(answer).toMatchObject({
      status: 'completed',
      message: expect.stringMatching(/demo-app[^]*test-service/),
    });
  });

  it('tells the model of its tools what the sources tell', async () => {
    await program?.printed('have"}\'\n');
    const client = new DemoClient(address);
    const token = await client.login('bob');
    for (const { name, description, input_schema } of definitions.demo) {
      const { body } = await client.request('GET', `/agent/tools/${name}`, { token });
      expect(body).toMatchObject({ name, description, input_schema });
    }
  });
});
