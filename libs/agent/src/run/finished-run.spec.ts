import { leftInMemory } from '../internal/fixtures/left-in-memory';
import type { ChatModel } from '../model';
import { ActiveRuns } from './execution';
import { agentFixture } from './fixtures/agent-fixture';

describe('a run that is over', () => {
  it('leaves nothing in memory once its session is deleted', async () => {
    const histories: WeakRef<object>[] = [];
    const model: ChatModel = {
      name: 'brief',
      capabilities: { tools: true, images: true, files: true },
      async *stream({ messages }) {
        messages.forEach((message) => histories.push(new WeakRef(message)));
        await Promise.resolve();
        yield { type: 'text.delta', delta: 'Good day.' };
        yield { type: 'finish', reason: 'end_turn' };
      },
    };
    const { module, agent, sessions } = await agentFixture({ models: { brief: model } });
    const owner = { principal: 'alice' };
    const { runId, sessionId } = await agent.chat({ message: 'Hello', model: 'brief' }, owner);
    expect(module.get(ActiveRuns).find(runId)).toBeUndefined();
    await sessions.clear(sessionId, 'alice');
    expect(histories).toHaveLength(1);
    expect(await leftInMemory(histories)).toEqual([]);
  });
});
