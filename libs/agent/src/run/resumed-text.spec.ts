import { defineTool } from '../registry';
import { Barrier } from '../testing';
import { agentFixture } from './fixtures/agent-fixture';

describe('a resumed run that its time ends', () => {
  afterEach(() => jest.useRealTimers());

  it('does not say again what it said before it waited', async () => {
    const working = new Barrier();
    const { agent, registry } = await agentFixture({
      steps: [{ text: 'I remove it.', toolCalls: [{ id: 'c1', name: 'remove', input: {} }] }],
      options: { budget: { durationMs: 1_000 } },
    });
    registry.register(
      defineTool({
        name: 'remove',
        description: 'Removes.',
        permission: 'ask',
        execute: (_, { signal }) => {
          void working.pass();
          return new Promise((_, reject) =>
            signal.addEventListener('abort', () => reject(new Error('stopped'))),
          );
        },
      }),
    );
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    const parked = await agent.chat({ message: 'Remove it.' });
    expect(parked).toMatchObject({ status: 'requires_action', message: 'I remove it.' });
    const { sessionId, runId } = parked;
    const answers = [{ callId: 'c1', type: 'approve' }] as const;
    const resumed = await agent.resume(runId, answers, { sessionId });
    await working.reached;
    jest.advanceTimersByTime(1_000);
    const result = await resumed.finished;
    expect(result).toMatchObject({ status: 'completed', stopReason: 'budget', message: '' });
  });
});
