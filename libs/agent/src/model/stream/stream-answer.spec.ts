import { PassThrough, Readable } from 'node:stream';
import { AnthropicStreamDecoder } from '../../anthropic/stream/anthropic-stream.decoder';
import type { ModelEvent } from '../chat-model';
import { DONE, finish, frame, text } from '../fixtures/model.server';
import { OpenAiStreamDecoder } from '../openai/stream/openai-stream.decoder';
import { streamAnswer } from './stream-answer';

const timeouts = { connectMs: false, firstEventMs: false, betweenEventsMs: false } as const;

const DECODERS = { openai: OpenAiStreamDecoder, anthropic: AnthropicStreamDecoder };

function answerFrom(
  body: Readable,
  provider: keyof typeof DECODERS = 'openai',
): AsyncGenerator<readonly ModelEvent[]> {
  const modelName = 'm';
  const options = { modelName, provider: 'p', usedIds: [], offeredNames: new Set<string>() };
  return streamAnswer({
    modelName,
    timeouts,
    signal: new AbortController().signal,
    decoder: new DECODERS[provider]({ ...options, nameOf: (name) => name }),
    open: async () => ({ body }),
  });
}

describe('streamAnswer', () => {
  afterEach(() => void jest.useRealTimers());

  it('waits for usage only so long, whatever says nothing meanwhile', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    const body = new PassThrough();
    const answer = answerFrom(body);
    const turn = () => new Promise(setImmediate);
    body.write(frame({ choices: [{ delta: { content: 'Hello' }, finish_reason: 'stop' }] }));
    await answer.next();
    const rest = answer.next();
    for (const nothing of [': still here\n\n', frame({ choices: [] }), ': still here\n\n']) {
      await turn();
      jest.advanceTimersByTime(2_000);
      body.write(nothing);
    }
    expect(await rest).toMatchObject({ value: [{ type: 'finish', reason: 'end_turn' }] });
    expect(body.destroyed).toBe(true);
  });

  it.each([
    ['openai', finish('stop') + DONE],
    [
      'anthropic',
      frame({ type: 'message_delta', delta: { stop_reason: 'end_turn' } }) +
        frame({ type: 'message_stop' }),
    ],
  ] as const)('waits for nothing behind the last event of %s', async (provider, last) => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    const body = new PassThrough();
    body.write(last);
    const { value } = await answerFrom(body, provider).next();
    expect(value).toEqual([{ type: 'finish', reason: 'end_turn' }]);
  });

  it('ends an answer that has no end', async () => {
    const large = Buffer.from(text('x'.repeat(16 * 1024 * 1024)));
    const endless = new Readable({
      read() {
        this.push(large);
      },
    });
    const reading = (async () => {
      for await (const batch of answerFrom(endless)) expect(batch).toHaveLength(1);
    })();
    await expect(reading).rejects.toMatchObject({ code: 'model_unavailable' });
    expect(endless.destroyed).toBe(true);
  });
});
