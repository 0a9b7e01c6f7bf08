import { Conversation } from './conversation';
import type { AgentEvent } from 'nestjs-agent';
import type { PendingAction, RunHandle } from 'nestjs-agent/types';
import { from, Observable } from 'rxjs';

const started: AgentEvent = {
  type: 'run.started',
  runId: 'run-1',
  seq: 1,
  sessionId: 'session-1',
  model: 'offline',
};

const finished = (
  status: 'completed' | 'cancelled' | 'requires_action',
  pendingActions: readonly PendingAction[] = [],
): AgentEvent => ({
  type: 'run.finished',
  runId: 'run-1',
  seq: 2,
  status,
  stopReason: status === 'completed' ? 'end_turn' : status,
  message: '',
  usage: {
    inputTokens: 0,
    outputTokens: 0,
    totalTokens: 0,
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
  },
  pendingActions,
});

const resume = jest.fn();

describe('Conversation', () => {
  it('stays in the session that its first message opened', async () => {
    const stream = jest.fn(() => from([started, finished('completed')]));
    const conversation = new Conversation({ stream, resume }, 'alice', () => undefined);

    await conversation.ask('one');
    await conversation.ask('two');

    expect(stream.mock.calls).toEqual([
      [{ message: 'one' }, expect.objectContaining({ principal: 'alice' })],
      [{ message: 'two', sessionId: 'session-1' }, expect.objectContaining({ principal: 'alice' })],
    ]);
  });

  it('answers what an agent waits for that was asked, all at once', async () => {
    const waits = (callId: string): PendingAction => ({
      ...{ type: 'approval', callId, name: 'burn', input: {} },
      ...{ expiresAt: '', agent: 'archive' },
    });
    const stream = () => from([started, finished('requires_action', [waits('a'), waits('b')])]);
    const told: string[] = [];
    async function* events(): AsyncGenerator<AgentEvent> {
      yield await Promise.resolve(finished('completed'));
    }
    const resumed = jest.fn(() => Promise.resolve({ events } as unknown as RunHandle));
    const agent = { stream, resume: resumed };
    const conversation = new Conversation(agent, 'alice', ({ type }) => told.push(type));

    expect(await conversation.ask('one')).toBe('requires_action');
    expect(conversation.awaited).toMatchObject({ callId: 'a', agent: 'archive' });
    expect(await conversation.decide(true)).toBe('requires_action');
    expect(resumed).not.toHaveBeenCalled();
    expect(await conversation.decide(false)).toBe('completed');
    expect(resumed).toHaveBeenCalledWith(
      'run-1',
      [
        { callId: 'a', type: 'approve' },
        { callId: 'b', type: 'reject' },
      ],
      expect.objectContaining({ principal: 'alice' }),
    );
    expect(conversation.awaited).toBeUndefined();
    expect(told).toEqual(['run.started', 'run.finished', 'run.finished']);
    await expect(conversation.decide(true)).rejects.toThrow('No call waits');
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
    const conversation = new Conversation({ stream, resume }, 'alice', () => undefined);

    expect(conversation.cancel()).toBe(false);
    const status = conversation.ask('one');
    expect(conversation.cancel()).toBe(true);
    expect(conversation.cancel()).toBe(false);
    expect(await status).toBe('cancelled');
    expect(conversation.cancel()).toBe(false);
  });
});
