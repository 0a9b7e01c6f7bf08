import { HttpAgent } from '@ag-ui/client';
import type { INestApplication } from '@nestjs/common';
import { type AgentEventBody, NO_USAGE } from '../../message';
import { SessionNotFoundError } from '../../session';
import { ADAPTERS, httpApp } from '../fixtures/http-app';
import { HELLO, ScriptedRun } from '../fixtures/scripted-agent';

/** A thread that begins. */
const SESSIONS = {
  get: () => Promise.reject(new SessionNotFoundError()),
  create: () => Promise.resolve({ sessionId: 'ses_1' }),
  transcript: () => Promise.resolve([]),
};

describe.each(ADAPTERS)('the stream of AG-UI on %s', (adapter) => {
  let app: INestApplication;
  afterEach(() => app.close());

  it('is kept alive by comments that the client skips', async () => {
    const run = new ScriptedRun();
    app = await httpApp({
      adapter,
      http: { sse: { heartbeatMs: 5, stallMs: 60_000 }, principal: () => 'alice' },
      agent: { start: () => Promise.resolve(run) },
      sessions: SESSIONS,
    });
    const response = new Promise<string>((resolve, reject) => {
      const agent = new HttpAgent({
        url: `${url(app)}/agent/ag-ui`,
        threadId: 'main',
        initialMessages: [{ id: 'a', role: 'user', content: 'Hi' }],
        fetch: async (to, init) => {
          const answer = await fetch(to, init);
          const [forUs, forClient] = (answer.body as ReadableStream<Uint8Array>).tee();
          void read(forUs).then(resolve, reject);
          return new Response(forClient, answer);
        },
      });
      agent.runAgent().catch(reject);
    });
    const text = await response;
    expect(text.match(/^: keep-alive$/gm)?.length).toBeGreaterThan(1);
    expect(text.indexOf('RUN_STARTED')).toBeLessThan(text.indexOf(': keep-alive'));
    expect(text).toContain('"type":"RUN_FINISHED"');
    expect(text).not.toMatch(/^(?!data: |: |$)/m);

    /** Says hello once two comments have come. */
    async function read(stream: ReadableStream<Uint8Array>): Promise<string> {
      let received = '';
      const decoder = new TextDecoder();
      for await (const chunk of stream) {
        const comments = received.split(': keep-alive').length - 1;
        received += decoder.decode(chunk, { stream: true });
        const now = received.split(': keep-alive').length - 1;
        if (comments < 2 && now >= 2) {
          for (const body of HELLO) run.push(body);
          run.end();
        }
      }
      return received;
    }
  });

  describe('with a discarded step', () => {
    const SAID = { id: 'a', role: 'user', content: 'Hi' } as const;
    const [started, text, end] = HELLO;

    /** The client's messages after a run with these events. */
    const messagesAfter = async (...bodies: readonly (AgentEventBody | undefined)[]) => {
      const run = ScriptedRun.of(bodies.flatMap((each) => each ?? []));
      app = await httpApp({
        adapter,
        http: { principal: () => 'alice' },
        agent: { start: () => Promise.resolve(run) },
        sessions: SESSIONS,
      });
      const agent = new HttpAgent({
        url: `${url(app)}/agent/ag-ui`,
        threadId: 'main',
        initialMessages: [SAID],
      });
      await agent.runAgent();
      return agent.messages;
    };

    it('takes back its messages, and tells it anew', async () => {
      const step = { type: 'step.started', step: 1 } as const;
      const part = { type: 'text.delta', delta: 'Hel' } as const;
      const discarded = { type: 'step.discarded', from: 2, to: 3 } as const;
      const messages = await messagesAfter(started, step, part, discarded, step, text, end);
      expect(messages).toEqual([SAID, { id: 'run_1:1', role: 'assistant', content: 'Hello' }]);
    });

    it('leaves the messages of a step that was finished before its worker stopped', async () => {
      const messages = await messagesAfter(
        started,
        { type: 'step.started', step: 1 },
        { type: 'text.delta', delta: 'One.' },
        { type: 'step.finished', step: 1, usage: NO_USAGE, finishReason: 'tool_use' },
        { type: 'step.discarded', from: 5, to: 1_004 },
        { type: 'step.started', step: 2 },
        text,
        end,
      );
      expect(messages).toEqual([
        SAID,
        { id: 'run_1:1', role: 'assistant', content: 'One.' },
        { id: 'run_1:2', role: 'assistant', content: 'Hello' },
      ]);
    });
  });
});

function url(app: INestApplication): string {
  const { port } = app.getHttpServer().address() as { port: number };
  return `http://127.0.0.1:${port}`;
}
