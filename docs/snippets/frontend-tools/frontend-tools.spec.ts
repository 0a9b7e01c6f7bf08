import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { Module } from '@nestjs/common';
import { AgentModule, type ToolDefinition } from 'nestjs-agent';
import type { JsonObject, JsonValue } from 'nestjs-agent/types';
import { GuideApp } from '../../../test/support/guide-app';
import { guideText } from '../../../test/support/guide-text';
import { shownJson } from '../../../test/support/shown-json';
import { AppModule } from './app.module';
import { ask, type BrowserTool } from './client';

const TEXT = guideText('frontend-tools');
const ADA = { authorization: 'Bearer ada' };
const opens = (id = 17) => ({ toolCalls: [{ name: 'open_order', input: { id } }] });

function read<T>(name: string): T {
  return JSON.parse(readFileSync(join(__dirname, name), 'utf8')) as T;
}

const MESSAGE = read<{ message: string; frontendTools: [ToolDefinition] }>('message.json');
const [OPEN_ORDER] = MESSAGE.frontendTools;

/** The tools that the page's script registers. test/ui tests them in a browser. */
function registeredTools(): readonly BrowserTool[] {
  const tools: BrowserTool[] = [];
  const title = { textContent: 'All orders' };
  const row = { textContent: '17, sent' };
  const elements: Readonly<Record<string, unknown>> = {
    '#title': title,
    '[data-order="17"]': row,
    'agent-chat': {
      registerTool: (tool: BrowserTool) => void tools.push(tool),
      enableTools: () => undefined,
    },
  };
  const document = { querySelector: (selector: string) => elements[selector] ?? null };
  runInNewContext(readFileSync(join(__dirname, 'orders.js'), 'utf8'), { document });
  return tools;
}

describe('the guide to frontend tools', () => {
  let guide: GuideApp;
  beforeAll(async () => {
    guide = await GuideApp.start(AppModule);
  });
  afterAll(() => guide.close());
  const told = (): string => JSON.stringify(guide.model.requests.at(-1)?.messages.at(-1)?.content);

  it('has a client that carries out what a page registers', async () => {
    const tools = registeredTools();
    expect(tools.map(({ name }) => name)).toEqual(['open_order', 'confirm_by_user']);
    const say = (text: string) => ask(`${guide.url}/agent`, ADA, text, tools);
    guide.model.push(opens(), 'It is open.');
    expect(await say('Open my order 17')).toBe('It is open.');
    expect(told()).toContain('17, sent');
    guide.model.push(opens(99), 'It is not here.');
    expect(await say('Open my order 99')).toBe('It is not here.');
    expect(told()).toContain('Order 99 is not on this page.');
  });

  it('has a page that holds what its script looks for', async () => {
    const page = readFileSync(join(__dirname, 'orders.html'), 'utf8');
    for (const part of ['id="title"', 'data-order="17"', '<dialog><button>', '<agent-chat ']) {
      expect(page).toContain(part);
    }
    const { status } = await guide.get('/agent/ui/agent-chat.js');
    expect(page).toContain('src="/agent/ui/agent-chat.js"');
    expect(page).toContain('src="orders.js"');
    expect(status).toBe(200);
  });

  it('shows what goes over the wire', async () => {
    guide.model.push(opens(), 'It is open.');
    const stream = await guide.stream('/agent/chat/stream', MESSAGE);
    const { sessionId } = await stream.next('run.started');
    const call = await stream.next('frontend.call');
    expect(shownJson(call)).toEqual(shownJson({ ...read<object>('frontend-call.json'), seq: 5 }));
    const wait = Date.parse(call.expiresAt) - Date.now();
    expect(wait).toBeGreaterThan(20_000);
    expect(wait).toBeLessThanOrEqual(30_000);
    const body = { ...read<object>('tool-result.json'), sessionId, callId: call.callId };
    const stranger = await guide.post('/agent/chat/tool-result', body, 'grace');
    expect(stranger.body).toMatchObject({ statusCode: 404, code: 'session_not_found' });
    const delivered = await guide.post('/agent/chat/tool-result', body);
    expect(delivered.body).toEqual(read('delivered.json'));
    const again = await guide.post('/agent/chat/tool-result', body);
    expect(again.body).toMatchObject({ success: false });
    expect(TEXT).toContain((again.body as { message: string }).message);
    expect((await stream.all()).at(-1)).toMatchObject({ status: 'completed' });
  });

  it('waits for an action without a stream', async () => {
    const asked = await guide.chat({ ...MESSAGE } as unknown as JsonObject, opens());
    expect(asked.status).toBe('requires_action');
    expect(shownJson(asked.pendingActions)).toEqual(shownJson(read('pending.json')));
    guide.model.push('It is open.');
    const { actions } = read<{ actions: [JsonObject] }>('actions.json');
    const callId = asked.pendingActions[0]?.callId;
    const answer = { actions: [{ ...actions[0], callId }], frontendTools: MESSAGE.frontendTools };
    const { body } = await guide.post(`/agent/runs/${asked.runId}/actions`, answer);
    expect(body).toMatchObject({ status: 'completed', message: 'It is open.' });
    expect(guide.model.requests.at(-1)?.tools.map(({ name }) => name)).toContain('open_order');
  });

  it('forgets the tools after the run', async () => {
    const { sessionId } = await guide.chat({ ...MESSAGE } as unknown as JsonObject, 'Hello.');
    const { toolCalls } = await guide.chat({ sessionId }, opens(), 'Done.');
    expect(toolCalls[0]).toMatchObject({ isError: true });
    expect(TEXT).toContain(toolCalls[0]?.output);
  });

  it('checks arguments before the page sees them', async () => {
    const { toolCalls, status } = await guide.chat(
      { ...MESSAGE } as unknown as JsonObject,
      { toolCalls: [{ name: 'open_order', input: { id: 17, newTab: true } }] },
      'Done.',
    );
    expect(status).toBe('completed');
    expect(TEXT).toContain(toolCalls[0]?.output);
  });

  it('lets permissions by name tighten them', async () => {
    const pay = { ...OPEN_ORDER, name: 'pay_order' };
    const asked = await guide.chat(
      { frontendTools: [pay as unknown as JsonValue] },
      {
        toolCalls: [{ name: 'pay_order', input: { id: 17 } }],
      },
    );
    expect(asked.pendingActions).toMatchObject([{ type: 'approval', name: 'pay_order' }]);
  });

  it.each<[string, readonly ToolDefinition[]]>([
    ['a name of the server', [{ ...OPEN_ORDER, name: 'list_orders' }]],
    ['a bad name', [{ ...OPEN_ORDER, name: 'open-order' }]],
    ['one name twice', [OPEN_ORDER, OPEN_ORDER]],
    ['too many', Array.from({ length: 65 }, (_, at) => ({ ...OPEN_ORDER, name: `tool_${at}` }))],
    ['too large a one', [{ ...OPEN_ORDER, description: 'x'.repeat(16_384) }]],
  ])('quotes what is said to %s', async (_what, frontendTools) => {
    const { body } = await guide.post('/agent/chat', { message: 'Hi', frontendTools });
    const { statusCode, code, message } = body as Record<string, string | string[]>;
    expect({ statusCode, code }).toEqual({ statusCode: 400, code: 'invalid_input' });
    const words = [message].flat().join();
    expect({ isQuoted: TEXT.includes(words), words }).toMatchObject({ isQuoted: true });
  });
});

describe('the guide to frontend tools', () => {
  const started = async (frontendTools: { timeoutMs: number } | false) => {
    @Module({ imports: [AgentModule.forRoot({ principal: () => 'ada', frontendTools })] })
    class OtherModule {}
    return GuideApp.start(OtherModule);
  };

  it('goes on without a result that comes too late', async () => {
    const guide = await started({ timeoutMs: 100 });
    guide.model.push(opens(), 'Sorry.');
    const stream = await guide.stream('/agent/chat/stream', MESSAGE);
    const { output } = await stream.next('tool.result');
    await stream.all();
    await guide.close();
    expect(TEXT).toContain((output as string).replace('0.1 s', '30 s'));
  });

  it('can be switched off', async () => {
    const guide = await started(false);
    const { body } = await guide.post('/agent/chat', MESSAGE);
    await guide.close();
    expect(TEXT).toContain((body as { message: string }).message);
  });
});
