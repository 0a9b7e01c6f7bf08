import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { ChatModel } from '../model';
import { ActiveRuns } from './active-runs';
import { agentFixture } from './fixtures/agent-fixture';

describe('a run that is over', () => {
  it('is kept for its events, not with its history', async () => {
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
    const { module, agent } = await agentFixture({ models: { brief: model } });
    const { runId } = await agent.chat({ message: 'Hello', model: 'brief' });
    await collectGarbage();
    expect(histories.map((history) => history.deref())).toEqual([undefined]);
    const kept = module.get(ActiveRuns).find(runId)?.log.all();
    expect(kept?.map(({ type }) => type)).toEqual([
      'run.started',
      'text.delta',
      'step.finished',
      'run.finished',
    ]);
    await module.close();
  });
});

async function collectGarbage(): Promise<void> {
  // What a weak reference gave out is held until the turn of the event loop is over.
  await new Promise(setImmediate);
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
