import type { ChatModel, ModelEvent } from '../../model';
import { takeTurn } from './model-turn';

/** Speaks once and then never again, whatever its signal says. */
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
});
