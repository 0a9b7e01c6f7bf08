import type { ModelEvent, ModelRequest } from '../model';
import { Barrier } from './barrier';
import { ScriptedModel } from './scripted.model';

const request: ModelRequest = { messages: [], tools: [] };
const signal = new AbortController().signal;

async function collect(events: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const all: ModelEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

describe('ScriptedModel', () => {
  it('plays its steps in order and records what it was asked', async () => {
    const model = new ScriptedModel([
      { reasoning: 'hm', text: ['a', 'b'], toolCalls: [{ name: 'add', input: { a: 1 } }] },
      'done',
    ]);
    expect(await collect(model.stream(request, { signal }))).toEqual([
      { type: 'reasoning.delta', delta: 'hm' },
      { type: 'text.delta', delta: 'a' },
      { type: 'text.delta', delta: 'b' },
      { type: 'tool_use', id: 'call_1', name: 'add', input: { a: 1 } },
      {
        type: 'finish',
        reason: 'tool_use',
        usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 },
      },
    ]);
    expect(() => model.assertComplete()).toThrow('1 scripted step(s) were never asked for');
    await collect(model.stream({ ...request, system: 'two' }, { signal }));
    model.assertComplete();
    expect(model.requests.map(({ system }) => system)).toEqual([undefined, 'two']);
  });

  it('throws on a call beyond the script, and again at the end', async () => {
    const model = new ScriptedModel([]);
    await expect(collect(model.stream(request, { signal }))).rejects.toThrow('was not expected');
    expect(() => model.assertComplete()).toThrow('call 1 was not expected');
  });

  it('throws errors where the script has them, after what came before', async () => {
    const failure = new Error('boom');
    const model = new ScriptedModel([[{ type: 'text.delta', delta: 'x' }, failure], failure]);
    const seen: ModelEvent[] = [];
    await expect(async () => {
      for await (const event of model.stream(request, { signal })) seen.push(event);
    }).rejects.toBe(failure);
    expect(seen).toHaveLength(1);
    await expect(collect(model.stream(request, { signal }))).rejects.toBe(failure);
  });

  it('takes functions and async generators', async () => {
    const model = new ScriptedModel([
      (asked) => `system: ${asked.system ?? 'none'}`,
      async function* () {
        yield { type: 'finish', reason: 'refusal' };
      },
    ]);
    expect(await collect(model.stream({ ...request, system: 's' }, { signal }))).toContainEqual({
      type: 'text.delta',
      delta: 'system: s',
    });
    expect(await collect(model.stream(request, { signal }))).toEqual([
      { type: 'finish', reason: 'refusal' },
    ]);
  });

  it('waits at a barrier until it opens, or until the signal aborts', async () => {
    const barrier = new Barrier();
    const model = new ScriptedModel([[barrier, { type: 'finish', reason: 'end_turn' }]]);
    const events = collect(model.stream(request, { signal }));
    await barrier.reached;
    barrier.open();
    expect(await events).toHaveLength(1);

    const controller = new AbortController();
    const closed = new Barrier();
    const stopped = collect(model.push([closed]).stream(request, { signal: controller.signal }));
    await closed.reached;
    controller.abort();
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
  });
});
