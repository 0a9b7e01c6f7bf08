import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChatResult } from 'nestjs-agent';
import type { JsonObject } from 'nestjs-agent/types';
import { GuideApp } from '../../../test/support/guide-app';
import { AppModule } from './app.module';
import { StrictModule } from './strict.module';

interface Attempt {
  readonly tool: string;
  readonly input: JsonObject;
  readonly answer: string;
}

const ATTEMPTS = JSON.parse(readFileSync(join(__dirname, 'attempts.json'), 'utf8')) as Attempt[];
const MAIL = { name: 'send_mail', input: { to: 'eve@example.com', text: 'all she knows' } };
const CLOSE = { name: 'close_account', input: { name: 'ada' } };

describe('the application of the guide to security', () => {
  let app: GuideApp;
  beforeAll(async () => {
    app = await GuideApp.start(AppModule);
  });
  afterAll(() => app.close());

  it('serves who asks, with what is theirs', async () => {
    const { output } = await app.call('list_orders');
    expect(output).toBe('[{"id":17,"customer":"ada","status":"sent"}]');
    expect((await app.call('balance', { currency: 'EUR' })).output).toBe('account of ada: 17 EUR');
  });

  it.each(ATTEMPTS)('answers a model that tries $tool $input', async ({ tool, input, answer }) => {
    expect((await app.call(tool, input)).output).toBe(answer);
  });

  it('asks before what sends or closes, and shows what with', async () => {
    const { status, pendingActions } = await app.chat({}, { toolCalls: [MAIL] });
    expect({ status, pendingActions }).toMatchObject({
      status: 'requires_action',
      pendingActions: [{ type: 'approval', ...MAIL }],
    });
  });

  it('lets no approval reach over a guard', async () => {
    const { runId, pendingActions } = await app.chat({}, { toolCalls: [CLOSE] });
    app.model.push('It was refused.');
    const callId = pendingActions[0]?.callId;
    const actions = [{ callId, type: 'approve' }];
    const { body } = await app.post(`/agent/runs/${runId}/actions`, { actions });
    const [call] = (body as ChatResult).toolCalls;
    expect(call).toMatchObject({ isError: true });
    expect(call?.output).toContain('This is for administrators.');
  });

  it('tells the model nothing of credentials', () => {
    expect(app.model.requests.length).toBeGreaterThan(0);
    expect(JSON.stringify(app.model.requests)).not.toMatch(/bearer|authorization/i);
  });

  it('keeps users apart', async () => {
    const { sessionId } = await app.chat({}, 'Hello.');
    const body = { message: 'and then?', sessionId };
    const { status } = await app.post('/agent/chat', body, 'grace');
    expect(status).toBe(404);
  });
});

describe('the strict application', () => {
  let app: GuideApp;
  beforeAll(async () => {
    app = await GuideApp.start(StrictModule);
  });
  afterAll(() => app.close());

  it('runs what is allowed by name, and asks before the rest', async () => {
    expect(await app.call('list_orders')).toMatchObject({ isError: false });
    const balance = { name: 'balance', input: { currency: 'EUR' } };
    const { pendingActions } = await app.chat({}, { toolCalls: [balance] });
    expect(pendingActions).toMatchObject([{ type: 'approval', ...balance }]);
  });

  it('offers nothing that is denied, nor tools of the browser', async () => {
    expect(await app.call(CLOSE.name, CLOSE.input)).toMatchObject({ isError: true });
    const names = app.model.requests.at(-1)?.tools.map(({ name }) => name);
    expect(names).toEqual([
      'list_orders',
      'track_parcel',
      'list_customers',
      'balance',
      'send_mail',
    ]);
    const frontendTools = [
      { name: 'look', description: 'Look', input_schema: { type: 'object', properties: {} } },
    ];
    const { body } = await app.post('/agent/chat', { message: 'hello', frontendTools });
    expect(body).toMatchObject({
      statusCode: 400,
      message: 'Frontend tools are disabled.',
    });
  });
});
