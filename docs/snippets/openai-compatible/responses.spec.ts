import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type OpenAI from 'openai';
import type { ScriptedStep } from 'nestjs-agent/testing';
import { GuideApp } from '../../../test/support/guide-app';
import { guideRows, guideText } from '../../../test/support/guide-text';
import { AppModule } from './app.module';
import { connect } from './client';
import { answerApprovals, askWithOwnTool, converse, stream } from './responses';
import { HiddenItemsModule } from './responses.module';

const ROWS = guideRows('openai-compatible');
const TEXT = guideText('openai-compatible');
const order = { name: 'get_order', input: { id: 17 } };
const cancel = { name: 'cancel_order', input: { id: 17 } };

describe('the guide to Responses', () => {
  let guide: GuideApp;
  let client: OpenAI;
  beforeAll(async () => {
    guide = await GuideApp.start(AppModule);
    client = connect('ada', `${guide.url}/agent`);
  });
  afterAll(() => guide.close());

  it('goes on with a conversation', async () => {
    guide.model.push('It is open.', 'Not yet.');
    expect(await converse(client)).toBe('Not yet.');
    expect(JSON.stringify(guide.model.requests.at(-1)?.messages)).toContain('And order 17?');
  });

  it('shows calls and approvals, and answers them', async () => {
    guide.model.push({ toolCalls: [order] }, { toolCalls: [cancel] }, 'Cancelled.');
    const response = await client.responses.create({ input: 'Cancel order 17.' });
    const shown = JSON.parse(
      readFileSync(join(__dirname, 'response.json'), 'utf8'),
    ) as typeof response;
    const unnumbered = ({ output }: typeof response) =>
      output.map((item) => ({ ...item, id: item.id?.replace(/\d+$/, '') }));
    expect(unnumbered(response)).toEqual(unnumbered(shown));
    expect(Object.keys(response)).toEqual(expect.arrayContaining(Object.keys(shown)));
    const asked: string[] = [];
    const done = await answerApprovals(client, response, (question) => {
      asked.push(question);
      return true;
    });
    expect([done.output_text, asked]).toEqual(['Cancelled.', ['cancel_order {"id":17}']]);
    expect(await answerApprovals(client, done, () => false)).toBe(done);
  });

  it('streams', async () => {
    guide.model.push({ text: ['One ', 'two.'] });
    const pieces: string[] = [];
    expect(await stream(client, 'Count', (piece) => pieces.push(piece))).toMatch(/^resp_run_/);
    expect(pieces).toEqual(['One ', 'two.']);
  });

  it("runs the client's tools in the client", async () => {
    const callOwn: ScriptedStep = ({ tools }) => {
      const own = tools.find(({ name }) => name.startsWith('get_weather'));
      return { toolCalls: [{ name: own?.name ?? 'none', input: { city: 'Oslo' } }] };
    };
    guide.model.push(callOwn, 'It rains.');
    expect(await askWithOwnTool(client, 'Weather in Oslo?')).toBe('It rains.');
  });

  it('hides calls where the options say so', async () => {
    const hidden = await GuideApp.start(HiddenItemsModule);
    try {
      hidden.model.push({ reasoning: 'Hm.', toolCalls: [order] }, 'It is open.');
      const { output } = await connect('ada', `${hidden.url}/agent`).responses.create({
        input: 'And order 17?',
      });
      expect(output.map(({ type }) => type)).toEqual(['message']);
    } finally {
      await hidden.close();
    }
  });

  const create = (body: object) => guide.post('/agent/v1/responses', body);
  const first = async (): Promise<{ id: string; conversation: { id: string } }> => {
    guide.model.push('One.');
    return (await create({ input: 'hi' })).body as never;
  };
  it.each([
    ['response_not_found', () => create({ input: 'hi', previous_response_id: 'resp_x' })],
    ['session_not_found', () => create({ input: 'hi', conversation: 'ses_x' })],
    [
      'not_last_response',
      async () => {
        const { id, conversation } = await first();
        guide.model.push('Two.');
        await create({ input: 'hi', conversation });
        return create({ input: 'hi', previous_response_id: id });
      },
    ],
    [
      'not_pending',
      async () => {
        const { id } = await first();
        const answer = { type: 'mcp_approval_response', approval_request_id: 'x', approve: true };
        return create({ input: [answer], previous_response_id: id });
      },
    ],
  ])('words an error with %s', async (code, send) => {
    const { status, body } = await send();
    expect(body).toMatchObject({ error: { code } });
    const [shown] = ROWS.find(([, cell]) => cell?.includes(code)) ?? [];
    expect(shown).toBe(String(status));
  });

  it('names the fields that are refused', async () => {
    const [, list = ''] =
      /((?:`\w+`(?:, | and ))+`\w+`) are refused with an error/.exec(TEXT) ?? [];
    const fields = [...list.matchAll(/`(\w+)`/g)].map(([, field = '']) => field);
    expect(fields).toEqual(['background', 'prompt', 'top_logprobs']);
    for (const field of fields) {
      const { body } = await create({ input: 'hi', [field]: 'x' });
      expect(body).toMatchObject({ error: { param: field, code: 'unsupported_parameter' } });
    }
  });
});
