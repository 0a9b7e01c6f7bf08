import { Conversation } from './conversation';
import type { AgentEvent } from 'nestjs-agent';
import { from, Observable } from 'rxjs';

const started: AgentEvent = {
  type: 'run.started',
  runId: 'run-1',
  seq: 1,
  sessionId: 'session-1',
  model: 'offline',
};

const finished = (status: 'completed' | 'cancelled'): AgentEvent => ({
  type: 'run.finished',
  runId: 'run-1',
  seq: 2,
  status,
  stopReason: status === 'completed' ? 'end_turn' : 'cancelled',
  message: '',
  usage: {
    inputTokens: 0,
    outputTokens: 0,
    totalTokens: 0,
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
  },
  pendingActions: [],
});

describe('Conversation', () => {
  it('stays in the session that its first message opened', async () => {
    const stream = jest.fn(() => from([started, finished('completed')]));
    const conversation = new Conversation({ stream }, 'alice', () => undefined);

    await conversation.ask('one');
    await conversation.ask('two');

    expect(stream.mock.calls).toEqual([
      [{ message: 'one' }, expect.objectContaining({ principal: 'alice' })],
      [{ message: 'two', sessionId: 'session-1' }, expect.objectContaining({ principal: 'alice' })],
    ]);
  });

  it('cancels the run that is under way, once', async () => {
    const stream = (_: unknown, options?: { readonly signal?: AbortSignal }) =>
      new Observable<AgentEvent>((subscriber) => {
        subscriber.next(started);
        options?.signal?.addEventListener('abort', () => {
          subscriber.next(finished('cancelled'));
          subscriber.complete();
        });
      });
    const conversation = new Conversation({ stream }, 'alice', () => undefined);

    expect(conversation.cancel()).toBe(false);
    const status = conversation.ask('one');
    expect(conversation.cancel()).toBe(true);
    expect(conversation.cancel()).toBe(false);
    expect(await status).toBe('cancelled');
    expect(conversation.cancel()).toBe(false);
  });
});
