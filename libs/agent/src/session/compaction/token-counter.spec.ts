import { type Message, textMessage } from '../../message';
import { EMPTY_SESSION } from '../record/session-state';
import { TokenCounter } from './token-counter';

/** Counts words and its own calls. */
function wordCounter() {
  const asked: string[] = [];
  const load = jest.fn(async () => (text: string) => {
    asked.push(text);
    return text.split(' ').length;
  });
  return { counter: new TokenCounter(load), load, asked };
}

function stateOf(messages: readonly Message[]) {
  return { ...EMPTY_SESSION, messages };
}

describe('TokenCounter', () => {
  it('counts as o200k_base does', async () => {
    const counter = new TokenCounter();
    expect(await counter.countText('hello world')).toBe(2);
    expect(await counter.countText('')).toBe(0);
  });

  it('takes marks of the encoding for plain text', async () => {
    const counter = new TokenCounter();
    expect(await counter.countText('a <|endoftext|> b')).toBeGreaterThan(5);
  });

  it.each([
    ['one letter', 'a'.repeat(200_000)],
    ['blanks', ' '.repeat(200_000)],
    ['line ends', '\n'.repeat(200_000)],
    ['characters without blanks', '汉字'.repeat(20_000)],
    ['pictographs', '💥'.repeat(20_000)],
    ['half pairs', '\ud83d'.repeat(20_000)],
  ])(
    'gives the encoder no long run of %s, for which it takes the square of the time',
    async (_, text) => {
      const pieces: string[] = [];
      const counter = new TokenCounter(() => Promise.resolve((piece) => pieces.push(piece)));
      await counter.countText(text);
      expect(pieces.join('')).toBe(text);
      expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(256);
    },
  );

  it('counts calls, results and reasoning, not only text', async () => {
    const counter = new TokenCounter();
    const [plain, asking, answering, thinking, showing] = await counter.countEach([
      textMessage('user', ''),
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'c', name: 'find', input: { city: 'Oslo' } }],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'c', content: 'It rains in Oslo.', is_error: false },
        ],
      },
      { role: 'assistant', content: [{ type: 'reasoning', text: 'One two three four' }] },
      { role: 'user', content: [{ type: 'image', mediaType: 'image/png', data: 'x'.repeat(99) }] },
    ]);
    expect(asking).toBeGreaterThan((plain ?? 0) + 6);
    expect(answering).toBeGreaterThan((plain ?? 0) + 6);
    expect(thinking).toBe((plain ?? 0) + 4);
    expect(showing).toBe((plain ?? 0) + 1_000);
  });

  it('counts each message once', async () => {
    const { counter, asked } = wordCounter();
    const first = textMessage('user', 'one two');
    const second = textMessage('user', 'three');
    await counter.countEach([first]);
    const counts = await counter.countEach([first, second]);
    expect(asked).toEqual(['one two', 'three']);
    expect(counts).toEqual([6, 5]);
  });

  it('does not load the encoder for what is surely short enough', async () => {
    const { counter, load } = wordCounter();
    const state = stateOf([textMessage('user', 'x '.repeat(450))]);
    expect(await counter.estimate(state, 1_000, () => '')).toBeLessThanOrEqual(1_000);
    expect(load).not.toHaveBeenCalled();
    expect(await counter.estimate(state, 1_000, () => 'y'.repeat(200))).toBe(456);
    expect(load).toHaveBeenCalledTimes(1);
  });

  it('takes the provider’s count for what it covers, and counts what came after', async () => {
    const { counter, asked } = wordCounter();
    const state = {
      ...stateOf([textMessage('user', 'long ago'), textMessage('user', 'since then')]),
      measured: { messages: 1, tokens: 5_000 },
    };
    expect(await counter.estimate(state, 100, () => 'prompt and tools')).toBe(5_000 + 4 + 2 + 1);
    expect(asked).toEqual(['since then', '']);
  });

  it('tries again where the encoder could not be loaded', async () => {
    const load = jest
      .fn<Promise<(text: string) => number>, []>()
      .mockRejectedValueOnce(new Error('disk'))
      .mockResolvedValue(() => 7);
    const counter = new TokenCounter(load);
    await expect(counter.countText('x')).rejects.toThrow('disk');
    expect(await counter.countText('x')).toBe(7);
  });
});
