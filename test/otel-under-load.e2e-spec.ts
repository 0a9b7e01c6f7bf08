import { Injectable } from '@nestjs/common';
import { AgentService, ModelError, Tool, ToolParam, type ChatResult } from 'nestjs-agent';
import { otel } from 'nestjs-agent/otel';
import { ADAPTERS, Closers } from './http/agent-app';
import { SseStream } from './http/sse-client';
import { Traced } from './support/otel/traced';

const alice = { authorization: 'Bearer alice' };

@Injectable()
class WaitingTools {
  @Tool({ description: 'Say the word', readOnly: true })
  async echo(@ToolParam('word') word: string): Promise<string> {
    await new Promise(setImmediate);
    return word;
  }
}

/** The same pseudo-random numbers in every test run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

describe('spans and metrics under load', () => {
  const apps = new Closers();
  let traced: Traced;
  beforeEach(() => (traced = Traced.start()));
  afterEach(async () => {
    await apps.close();
    await traced.stop();
  });

  const open = (options: Parameters<Closers['open']>[0] = {}) =>
    apps.open({
      telemetry: otel({ meterProvider: traced.meters }),
      providers: [WaitingTools],
      audit: { record: () => undefined },
      limits: { runsPerPrincipal: Infinity },
      sessions: { compaction: false },
      ...options,
    });

  const settled = async () => {
    while (traced.open.size > 0) await new Promise(setImmediate);
  };

  it('has no span under a foreign run, of 200 runs at once', async () => {
    const { app, model } = await open();
    const agent = app.get(AgentService);
    model.push(
      ...Array.from(
        { length: 400 },
        () =>
          ({ messages }: { messages: readonly unknown[] }) =>
            messages.length === 1
              ? { toolCalls: [{ name: 'echo', input: { word: 'a' } }] }
              : 'Done.',
      ),
    );
    const runs = await Promise.all(
      Array.from({ length: 200 }, () => agent.start({ message: 'hi' }, {})),
    );
    await Promise.all(runs.map(({ finished }) => finished));
    await settled();
    const runOf = new Map(
      traced.spans.map((span) => [
        span.spanContext().spanId,
        span.attributes['nestjs_agent.run.id'],
      ]),
    );
    expect(traced.spans).toHaveLength(200 * 4);
    const below = traced.spans.filter(({ name }) => !name.startsWith('invoke_agent'));
    expect(below).toHaveLength(200 * 3);
    for (const { parentSpanContext: parent, attributes } of below) {
      expect(runOf.get(parent?.spanId ?? '')).toBe(attributes['nestjs_agent.run.id']);
    }
    expect(new Set(runOf.values()).size).toBe(200);
  });

  it.each(ADAPTERS)(
    'ends every span once, of 250 runs aborted anywhere, on %s',
    async (adapter) => {
      const random = randomFrom(7);
      const never = new Promise<never>(() => undefined);
      const { url, app, model } = await open({ adapter });
      const agent = app.get(AgentService);
      const turn = async (count: number) => {
        for (let index = 0; index < count; index += 1) await new Promise(setImmediate);
      };
      const abortOne = async (index: number) => {
        if (index % 5 === 0) {
          const stream = await SseStream.open(`${url}/agent/chat/stream`, {
            headers: alice,
            body: { message: 'hi' },
          });
          await turn(Math.floor(random() * 4));
          stream.drop();
          return;
        }
        const abort = new AbortController();
        const started = agent.start({ message: 'hi' }, { signal: abort.signal });
        await turn(Math.floor(random() * 8));
        abort.abort();
        await started.then(({ finished }) => finished);
      };
      model.push(
        ...Array.from({ length: 1_000 }, (_, index) =>
          index % 3 === 0
            ? [{ type: 'text.delta', delta: 'Well' } as const, never]
            : { toolCalls: [{ name: 'echo', input: { word: 'a' } }] },
        ),
      );
      await Promise.all(Array.from({ length: 250 }, (_, index) => abortOne(index)));
      while (!traced.spans.some(({ name }) => name.startsWith('invoke_agent'))) await turn(1);
      await settled();
      const ids = traced.spans.map((span) => span.spanContext().spanId);
      expect(new Set(ids).size).toBe(ids.length);
      const active = (await traced.metrics()).filter(({ name }) => /active|open$/.test(name));
      expect(active.map(({ name, value }) => [name, value]).toSorted()).toEqual([
        ['nestjs_agent.runs.active', 0],
        ['nestjs_agent.streams.open', 0],
      ]);
    },
  );

  it.each(['latest', '1.41'] as const)(
    'counts the tokens of 200 runs as their usage does, some cut off, with %s',
    async (semconv) => {
      const random = randomFrom(11);
      const { app, model } = await open({
        telemetry: otel({ meterProvider: traced.meters, semconv }),
      });
      const agent = app.get(AgentService);
      const never = new Promise<never>(() => undefined);
      const results: ChatResult[] = [];
      for (let index = 0; index < 200; index += 1) {
        const [inputTokens, outputTokens] = [1 + Math.floor(random() * 90), 2];
        const usage = { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
        const abort = new AbortController();
        const kind = Math.floor(random() * 4);
        if (kind > 0) model.push({ toolCalls: [{ name: 'echo', input: { word: 'a' } }], usage });
        if (kind === 1) model.push(new ModelError('model_rate_limited', 'Busy.'));
        else if (kind === 2) model.push([{ type: 'text.delta', delta: 'Well' }, never]);
        // Without a count of the provider's, the journal has an estimate.
        else if (kind === 3) {
          model.push([
            { type: 'text.delta', delta: 'Well, well.' },
            { type: 'finish', reason: 'end_turn' },
          ]);
        } else model.push({ text: 'Done.', usage });
        const { finished, events } = await agent.start({ message: 'hi' }, { signal: abort.signal });
        if (kind === 2) {
          for await (const event of events()) if (event.type === 'text.delta') abort.abort();
        }
        results.push(await finished);
      }
      expect(new Set(results.map(({ status }) => status))).toEqual(
        new Set(['completed', 'failed', 'cancelled']),
      );
      const sum = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0);
      const points = await traced.metrics();
      const counted = (name: string, type: string) =>
        sum(
          points
            .filter((point) =>
              semconv === 'latest'
                ? point.name === `gen_ai.client.inference.usage.${type}_tokens`
                : point.name === name && point.attributes['gen_ai.token.type'] === type,
            )
            .map(({ value }) => value),
        );
      const usage = results.map((result) => result.usage);
      expect(counted('gen_ai.client.token.usage', 'input')).toBe(
        sum(usage.map(({ inputTokens }) => inputTokens)),
      );
      expect(counted('gen_ai.client.token.usage', 'output')).toBe(
        sum(usage.map(({ outputTokens }) => outputTokens)),
      );
    },
  );
});
