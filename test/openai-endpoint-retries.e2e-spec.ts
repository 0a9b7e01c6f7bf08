import { UseGuards } from '@nestjs/common';
import { ModelError } from 'nestjs-agent';
import type { ScriptedStep } from 'nestjs-agent/testing';
import OpenAI from 'openai';
import { type AgentAppOptions, Closers, LoginGuard, ON_FASTIFY, removed } from './http/agent-app';
import { asked, decision, refusal } from './front-ends/responses/responses-app';

const REMOVES = { toolCalls: [{ name: 'remove_file', input: { name: 'a.txt' } }] };
const away = (): ModelError => new ModelError('model_unavailable', 'The model is away.');
const question = { model: 'agent', messages: [{ role: 'user' as const, content: 'Remove it.' }] };

/** OpenAI's client repeats a request twice by default, unless the answer says otherwise. */
describe.each(ON_FASTIFY)('retries of OpenAI’s client on %s', (adapter) => {
  const apps = new Closers();
  beforeEach(() => removed.splice(0));
  afterEach(() => apps.close());

  async function serve(steps: readonly ScriptedStep[], options: AgentAppOptions = {}) {
    const decorators = [UseGuards(LoginGuard)];
    const { url, model } = await apps.open({ adapter, decorators, steps, ...options });
    return { model, client: new OpenAI({ baseURL: `${url}/agent/v1`, apiKey: 'alice' }) };
  }

  it.each([false, true])(
    'run no tool of a completion again, with the stream: %s',
    async (stream) => {
      const permissions = { remove_file: 'allow' } as const;
      const { client } = await serve([REMOVES, away(), REMOVES, 'Again.'], { permissions });
      const error = await refusal(client.chat.completions.create({ ...question, stream }));
      expect(error).toMatchObject({ status: 502, message: '502 The model is away.' });
      expect(removed).toEqual(['a.txt']);
    },
  );

  it.each([false, true])(
    'run no tool of the provider again, with the stream: %s',
    async (stream) => {
      const mails = { type: 'provider_tool', id: 'mcp_1', name: 'send_mail' } as const;
      const { client, model } = await serve([[mails, away()], 'Again.']);
      const error = await refusal(client.chat.completions.create({ ...question, stream }));
      expect(error).toMatchObject({ status: 502, message: '502 The model is away.' });
      expect(model.requests).toHaveLength(1);
    },
  );

  it('bring the answer of a completion that failed before any call', async () => {
    const { client } = await serve([away(), 'Done.']);
    const { choices } = await client.chat.completions.create(question);
    expect(choices[0]?.message.content).toBe('Done.');
  });

  it.each([false, true])(
    'say no question twice in a conversation, and hide no failure, with the stream: %s',
    async (stream) => {
      const { client, model } = await serve(['Hello.', away(), 'Twice.']);
      const { id } = await client.responses.create({ input: 'Hi' });
      const error = await refusal(
        client.responses.create({ input: 'More', previous_response_id: id, stream }),
      );
      expect(error).toMatchObject({ status: 502, message: '502 The model is away.' });
      expect(model.requests).toHaveLength(2);
    },
  );

  it('do not hide that a model failed after an approved call', async () => {
    const { client } = await serve([REMOVES, away()]);
    const { id, output } = await client.responses.create({ input: 'Remove it.' });
    const input = [decision(asked({ output }).id, true)];
    const error = await refusal(client.responses.create({ input, previous_response_id: id }));
    expect(error).toMatchObject({ status: 502, message: '502 The model is away.' });
    expect(removed).toEqual(['a.txt']);
  });

  it('do not repeat an answer that is refused for good', async () => {
    const requests: string[] = [];
    const { client } = await serve([REMOVES, 'Gone.'], {
      prepare: (app) =>
        app.use(({ url = '' }: { readonly url?: string }, _: unknown, next: () => void) => {
          requests.push(url);
          next();
        }),
    });
    const { id, output } = await client.responses.create({ input: 'Remove it.' });
    const again = { input: [decision(asked({ output }).id, true)], previous_response_id: id };
    await client.responses.create(again);
    requests.splice(0);
    const error = await refusal(client.responses.create(again));
    expect(error).toMatchObject({ status: 409, code: 'already_resolved' });
    expect(requests).toHaveLength(1);
  });
});
