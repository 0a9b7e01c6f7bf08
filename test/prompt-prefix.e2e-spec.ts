import { Injectable, Module, type INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import {
  AgentModule,
  openai,
  Tool,
  Toolkit,
  ToolParam,
  type ChatModel,
  type ChatResult,
} from 'nestjs-agent';
import type { JsonObject } from 'nestjs-agent/types';
import { openRouter } from 'nestjs-agent/models';
import { anthropic } from 'nestjs-agent/anthropic';
import {
  block,
  DONE,
  finish,
  ModelServer,
  said,
  start,
  stop,
  text,
  toolCall,
} from './support/models';

const PAGE_CHARS = 2_400;

@Toolkit({ description: 'A library', instructions: 'Name the page that you quote.' })
@Injectable()
class LibraryTools {
  @Tool({ description: 'Read a page', readOnly: true })
  read(@ToolParam('page') page: number): string {
    return `Page ${page}. `.repeat(PAGE_CHARS / 10);
  }

  @Tool({ description: 'Write a note' })
  write(@ToolParam('note') note: string): string {
    return `Noted: ${note}`;
  }
}

/** The model's steps; it answers in text between two questions. */
type Step = { readonly read: number } | { readonly write: string } | { readonly say: string };
const STEPS: readonly Step[] = [
  ...[1, 2].map((page) => ({ read: page })),
  { write: 'first' },
  { read: 3 },
  { say: 'Three pages, one note.' },
  { write: 'second' },
  ...[4, 5, 6, 7].map((page) => ({ read: page })),
  { say: 'Four more.' },
  ...[8, 9, 10].map((page) => ({ read: page })),
  { write: 'third' },
  ...[11, 12].map((page) => ({ read: page })),
  { write: 'fourth' },
  { read: 13 },
  { say: 'That was all.' },
];

interface Provider {
  readonly model: (server: ModelServer) => ChatModel;
  readonly reply: (step: Step, count: number) => readonly string[];
  /** The parts that the provider's cache reads, in order. */
  readonly prompt: (body: JsonObject) => readonly unknown[];
}

const callOf = (step: Step) =>
  'read' in step
    ? { name: 'read', input: { page: step.read } }
    : 'write' in step
      ? { name: 'write', input: { note: step.write } }
      : undefined;

const overOpenAi = {
  reply: (step: Step, count: number) => {
    const call = callOf(step);
    const told = call && { id: `call_${count}`, name: call.name, args: JSON.stringify(call.input) };
    if (told) return [toolCall(0, told), finish('tool_calls'), DONE];
    return [text('say' in step ? step.say : ''), finish('stop'), DONE];
  },
  prompt: ({ tools = [], messages }: JsonObject) => {
    const all = messages as { readonly role: string }[];
    const system = all.filter(({ role }) => role === 'system');
    return [tools, system, ...all.slice(system.length)];
  },
};

/** Usage that the provider does not report is estimated by length, which triggers the compaction here. */
const uncounted = start({ usage: {} });

const PROVIDERS: readonly (readonly [string, Provider])[] = [
  [
    'anthropic()',
    {
      model: ({ url }) =>
        anthropic({ model: 'claude', apiKey: 'k', baseURL: url.replace('/v1', '') }),
      reply: (step, count) => {
        const call = callOf(step);
        const use = { type: 'tool_use', id: `toolu_${count}`, ...call };
        return call
          ? [uncounted, block(0, use), stop('tool_use')]
          : [uncounted, said(0, 'say' in step ? step.say : ''), stop('end_turn')];
      },
      prompt: ({ tools = [], system = [], messages }) => [
        tools,
        system,
        ...(messages as { role: string; content: unknown[] }[]).flatMap(({ role, content }) =>
          content.map((one) => [role, one]),
        ),
      ],
    },
  ],
  [
    'openRouter() with Claude',
    {
      model: ({ url }) => openRouter({ model: 'anthropic/claude-x', apiKey: 'k', baseURL: url }),
      ...overOpenAi,
    },
  ],
  ['openai()', { model: ({ url }) => openai({ model: 'm', baseURL: url }), ...overOpenAi }],
];

const unmarked = (value: unknown): string =>
  JSON.stringify(value, (key, inner: unknown) => (key === 'cache_control' ? undefined : inner));

describe.each(PROVIDERS)('the prompts of 20 steps with %s', (name, provider) => {
  let server: ModelServer;
  let app: INestApplication;
  let url: string;

  const post = async (path: string, body: object): Promise<ChatResult> => {
    const response = await fetch(`${url}/agent${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await response.json()) as ChatResult;
  };
  /** Sends a message and approves all writes. */
  const converse = async (message: string, sessionId?: string): Promise<ChatResult> => {
    let result = await post('/chat', { message, ...(sessionId && { sessionId }) });
    while (result.pendingActions.length > 0) {
      const actions = result.pendingActions.map(({ callId }) => ({ callId, type: 'approve' }));
      result = await post(`/runs/${result.runId}/actions`, { actions });
    }
    return result;
  };

  beforeAll(async () => {
    server = await ModelServer.start();
    @Module({
      imports: [
        AgentModule.forRoot({
          model: provider.model(server),
          systemPrompt: 'You keep a library.',
          maxSteps: 20,
          sessions: { compaction: { thresholdTokens: 5_000, keepRecentTokens: 1_500 } },
        }),
      ],
      providers: [LibraryTools],
    })
    class AppModule {}
    const module = await Test.createTestingModule({ imports: [AppModule] }).compile();
    app = module.createNestApplication({ logger: false });
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
    let count = 0;
    server.always((body) => {
      // A summary is asked for without tools.
      const step = body['tools'] === undefined ? { say: 'They read.' } : STEPS[count++];
      return { chunks: provider.reply(step ?? { say: 'Nothing more.' }, count) };
    });
    const { sessionId } = await converse('Read me three pages.');
    await converse('And four more.', sessionId);
    expect(await converse('All of it.', sessionId)).toMatchObject({
      status: 'completed',
      message: 'That was all.',
    });
  });
  afterAll(async () => {
    await app.close();
    await server.stop();
  });

  it('begin as the prompts before them, and anew only after a compaction', () => {
    const bodies = server.requests.map(({ body }) => body);
    const starts: number[] = [];
    let before: readonly string[] | undefined;
    bodies.forEach((body, index) => {
      // The request for the summary is a separate prompt.
      if (body['tools'] === undefined) return;
      const prompt = provider.prompt(body).map(unmarked);
      const isSame = before?.every((part, at) => prompt[at] === part) === true;
      if (!isSame) starts.push(index);
      before = prompt;
    });
    const summaries = bodies.flatMap((body, index) => (body['tools'] ? [] : [index]));
    expect(bodies.length - summaries.length).toBe(STEPS.length);
    expect(summaries.length).toBeGreaterThan(0);
    expect(starts).toEqual([0, ...summaries.map((index) => index + 1)]);
  });

  if (name === 'openai()') {
    it('have no marks, which nobody but Claude reads', () => {
      expect(JSON.stringify(server.requests)).not.toContain('cache_control');
    });
    return;
  }

  it('have marks where the last one ended, at tools, system and its own end', () => {
    const bodies = server.requests.map(({ body }) => body).filter(({ tools }) => tools);
    let end = -1;
    for (const body of bodies) {
      const parts = provider.prompt(body).map((part) => JSON.stringify(part));
      const marks = parts.flatMap((part, at) => (part.includes('"cache_control"') ? [at] : []));
      expect(JSON.stringify(body).split('"cache_control"').length - 1).toBe(marks.length);
      expect(marks.length).toBeLessThanOrEqual(4);
      expect(marks.slice(0, 2)).toEqual([0, 1]);
      expect(marks.at(-1)).toBe(parts.length - 1);
      if (end > 0 && parts.length > end) expect(marks).toContain(end);
      end = parts.length - 1;
    }
  });
});
