import { Injectable, UseGuards } from '@nestjs/common';
import { IsString, Length } from 'class-validator';
import { Tool, Toolkit, ToolField, type AuditRecord } from 'nestjs-agent';
import request from 'supertest';
import { ADAPTERS, Closers, LoginGuard, PAGE_TITLE } from './http/agent-app';

class PostDto {
  @ToolField({ description: 'What it says' })
  @IsString()
  @Length(1, 5, { groups: ['agent'] })
  text!: string;
}

/** How many calls of `wait` were under way, at the most. */
let atOnce = 0;
let most = 0;

@Toolkit({ description: 'A forum' })
@Injectable()
class ForumTools {
  @Tool({ description: 'Read a long thread', readOnly: true })
  read_thread(): string {
    return 'x'.repeat(1_000);
  }

  @Tool({ description: 'Post something', input: PostDto })
  post({ text }: PostDto): string {
    return `posted ${text}`;
  }

  @Tool({ description: 'Take a moment', readOnly: true })
  async wait(): Promise<string> {
    atOnce += 1;
    most = Math.max(most, atOnce);
    await new Promise((resolve) => setImmediate(resolve));
    atOnce -= 1;
    return 'done';
  }
}

const alice = { authorization: 'Bearer alice' };
const calls = (...toolCalls: readonly { name: string; input?: Record<string, string> }[]) => ({
  toolCalls,
});

describe.each(ADAPTERS)('an option of the module on %s', (adapter) => {
  const apps = new Closers();
  afterEach(() => apps.close());

  const open = (options: Parameters<Closers['open']>[0]) =>
    apps.open({ adapter, providers: [ForumTools], ...options });
  const chat = async (url: string, body: object = {}) => {
    const { body: result } = await request(url)
      .post('/agent/chat')
      .set(alice)
      .send({ message: 'go on', ...body });
    return result as { toolCalls: { output: string; isError: boolean }[]; code?: string };
  };

  it('cuts results: tools.maxResultChars', async () => {
    const { url } = await open({
      tools: { maxResultChars: 100 },
      steps: [calls({ name: 'read_thread' }), 'Read.'],
    });
    const [call] = (await chat(url)).toolCalls;
    expect(call?.output).toMatch(/^x+/);
    expect(call?.output.match(/^x+/)?.[0].length).toBeLessThanOrEqual(100);
  });

  it('bounds how many run side by side: tools.maxConcurrency', async () => {
    atOnce = 0;
    most = 0;
    const { url } = await open({
      tools: { maxConcurrency: 2 },
      steps: [calls(...Array.from({ length: 4 }, () => ({ name: 'wait' }))), 'Waited.'],
    });
    expect((await chat(url)).toolCalls).toHaveLength(4);
    expect(most).toBe(2);
  });

  it('chooses the rules for arguments: validation.groups', async () => {
    const { url } = await open({
      validation: { groups: ['agent'] },
      steps: [calls({ name: 'post', input: { text: 'too long' } }), 'No.'],
    });
    expect((await chat(url)).toolCalls).toMatchObject([{ isError: true }]);
    const { url: other } = await open({
      validation: { groups: ['others'] },
      steps: [calls({ name: 'post', input: { text: 'too long' } }), 'Yes.'],
    });
    expect((await chat(other)).toolCalls).toMatchObject([{ output: 'posted too long' }]);
  });

  it('says what records hold: audit', async () => {
    const records: AuditRecord[] = [];
    const { url } = await open({
      audit: {
        sink: { record: (record) => void records.push(record) },
        digestKey: 'key',
        values: true,
        redact: ['Text'],
      },
      steps: [calls({ name: 'post', input: { text: 'hello' } }), 'Posted.'],
    });
    await chat(url);
    expect(records).toMatchObject([
      {
        tool: 'post',
        principal: 'alice',
        arguments: { text: '[redacted]' },
        argumentsDigest: expect.stringMatching(/^hmac-sha256:/),
      },
    ]);
  });

  it('brings tools along: builtins.diagnostics', async () => {
    const names = async (url: string) => {
      const { body } = await request(url).get('/agent/tools').set(alice);
      return (body as { name: string }[]).map(({ name }) => name);
    };
    expect(await names((await open({})).url)).not.toContain('process_memory');
    const { url } = await open({ builtins: { diagnostics: true } });
    expect(await names(url)).toContain('process_memory');
  });

  it('bounds what clients bring: limits, frontendTools', async () => {
    const { url } = await open({
      limits: { historyMessages: 1, messageChars: 3 },
      frontendTools: false,
      steps: [],
    });
    const user = { role: 'user', content: 'hi' };
    const long = await request(url)
      .post('/agent/v1/chat/completions')
      .set(alice)
      .send({ model: 'agent', messages: [user, user] });
    expect(long.body).toMatchObject({ error: { code: 'array_above_max_length' } });
    expect(await chat(url, { message: 'long' })).toMatchObject({ code: 'invalid_input' });
    const bringing = { message: 'hi', frontendTools: [PAGE_TITLE] };
    expect(await chat(url, bringing)).toMatchObject({ code: 'invalid_input' });
  });

  it('guards what is for everybody: publicDecorators', async () => {
    const { url } = await open({ publicDecorators: [UseGuards(LoginGuard)] });
    for (const path of ['health', 'ui', 'ui/sidebar', 'ui/agent-chat.js']) {
      expect((await request(url).get(`/agent/${path}`)).status).toBe(401);
      expect((await request(url).get(`/agent/${path}`).set(alice)).status).toBe(200);
    }
  });

  it("passes a request's toolChoice on to the first step alone", async () => {
    const { url, model } = await open({ steps: [calls({ name: 'wait' }), 'Done.'] });
    await chat(url, { toolChoice: { name: 'wait' } });
    expect(model.requests.map(({ toolChoice }) => toolChoice)).toEqual([
      { name: 'wait' },
      undefined,
    ]);
  });

  it('tells the model of the tool that it has to call, with details on demand too', async () => {
    const { url, model } = await open({ tools: { details: 'onDemand' }, steps: ['Done.'] });
    await chat(url, { toolChoice: { name: 'wait' } });
    expect(model.requests[0]?.tools.map(({ name }) => name)).toContain('wait');
  });
});
