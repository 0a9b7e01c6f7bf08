import type { ChatModel, ModelEvent } from '../../model';
import { takeTurn } from './model-turn';

/** Sends one piece and then nothing more, ignoring its signal. */
const deaf: ChatModel = {
  name: 'deaf',
  capabilities: { tools: true },
  async *stream(): AsyncGenerator<ModelEvent> {
    yield { type: 'text.delta', delta: 'Well' };
    await new Promise(() => undefined);
  },
};

describe('takeTurn()', () => {
  it('ends at once on an abort that the model does not heed, with what was said', async () => {
    const abort = new AbortController();
    const turn = await takeTurn(
      deaf,
      { messages: [], tools: [] },
      {
        signal: abort.signal,
        emit: () => abort.abort(),
        claimCallId: (id) => id,
        kindOf: () => 'function',
      },
    );

    expect(turn.failure).toMatchObject({ name: 'AbortError' });
    expect(turn.content).toEqual([{ type: 'text', text: 'Well' }]);
  });

  it('keeps what a provider wants back of a text, which its end parts from the next', async () => {
    const said = (delta: string): ModelEvent => ({ type: 'text.delta', delta });
    const providerData = { p: { signature: 's' } };
    const model: ChatModel = {
      name: 'signing',
      capabilities: { tools: true },
      async *stream(): AsyncGenerator<ModelEvent> {
        await Promise.resolve();
        yield* [{ type: 'text.end' }, said('One '), { type: 'text.end' }] as const;
        yield* [said('t'), said('w'), said('o '), { type: 'text.end', providerData }] as const;
        yield* [{ type: 'reasoning.delta', delta: 'hm' }, said('three')] as const;
        yield* [{ type: 'text.end' }, { type: 'text.end', providerData }] as const;
        yield { type: 'finish', reason: 'end_turn' };
      },
    };
    const told: string[] = [];
    const turn = await takeTurn(
      model,
      { messages: [], tools: [] },
      {
        signal: new AbortController().signal,
        emit: (piece) => told.push(JSON.stringify(piece)),
        claimCallId: (id) => id,
        kindOf: () => 'function',
      },
    );
    expect(turn.content).toEqual([
      { type: 'text', text: 'One ' },
      { type: 'text', text: 'two ', providerData },
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'three' },
      { type: 'text', text: '', providerData },
    ]);
    expect(told).toHaveLength(6);
    expect(told.join('')).not.toContain('signature');
  });
});
