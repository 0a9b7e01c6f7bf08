import { Logger } from '@nestjs/common';
import { ShuttingDownError } from '../../run';
import type { Exchange } from '../endpoint';
import type { RunResponder } from '../sse';
import { openAiFailureOf } from './openai-error';
import { answerOpenAi, type OpenAiAnswer } from './openai.responder';

const HOW = { isStream: false, onDisconnect: 'cancel' } as const;
const responder = {
  whileConnected: (_: Exchange, tell: (options: object) => Promise<unknown>) => tell({}),
} as unknown as RunResponder;

/** A queued run is read once more for its result. */
const readAgain = jest.fn<Promise<unknown>, []>(() => new Promise(() => undefined));

/** The failure of a request whose run's events end with an error, or as they should. */
async function failureAfter(
  error: Error | undefined,
  sessionId: string,
  told: readonly object[] = [],
) {
  const answer = {
    run: {
      runId: 'r1',
      sessionId,
      get finished() {
        return readAgain();
      },
      async *events() {
        yield* told;
        if (error) await Promise.reject(error);
      },
    },
    encoder: { encode: () => '' },
  } as unknown as OpenAiAnswer;
  const answered = answerOpenAi(responder, {} as Exchange, () => Promise.resolve(answer), HOW);
  return openAiFailureOf(await answered.catch((thrown: unknown) => thrown));
}

describe('answerOpenAi()', () => {
  const log = jest.spyOn(Logger.prototype, 'error').mockImplementation();
  afterEach(() => log.mockClear());
  afterAll(() => log.mockRestore());

  it('tells clients not to repeat a stored run that they cannot be told of', async () => {
    const { status, headers } = await failureAfter(new ShuttingDownError(), 's1');
    expect({ status, headers }).toEqual({
      status: 503,
      headers: { 'retry-after': '1', 'x-should-retry': 'false' },
    });
    expect(log).not.toHaveBeenCalled();
  });

  it('does not read a run again whose events end with an error, since the second error would be unhandled', async () => {
    await failureAfter(new ShuttingDownError(), 's1');
    expect(readAgain).not.toHaveBeenCalled();
  });

  it('tells them not to repeat one that ended well, but cannot be read', async () => {
    readAgain.mockRejectedValueOnce(new Error('store away'));
    const { status, headers } = await failureAfter(undefined, 's1');
    expect({ status, headers }).toEqual({ status: 500, headers: { 'x-should-retry': 'false' } });
    expect(log).toHaveBeenCalledWith('store away', expect.any(String));
  });

  it('lets them repeat one that nothing keeps', async () => {
    const { headers } = await failureAfter(new ShuttingDownError(), '');
    expect(headers).toEqual({ 'retry-after': '1' });
  });

  it('does not if a tool of the provider has run', async () => {
    const told = [{ type: 'provider.tool' }];
    const { headers } = await failureAfter(new ShuttingDownError(), '', told);
    expect(headers).toEqual({ 'retry-after': '1', 'x-should-retry': 'false' });
  });

  it('logs what the answer does not say', async () => {
    const { status, body, headers } = await failureAfter(new Error('a bug'), 's1');
    expect({ status, headers }).toEqual({ status: 500, headers: { 'x-should-retry': 'false' } });
    expect(body.error.message).toBe('The agent failed. See the application log.');
    expect(log).toHaveBeenCalledWith('a bug', expect.any(String));
  });
});
