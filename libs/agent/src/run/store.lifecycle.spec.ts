import { memoryStore, type SessionStore } from '../session';
import { Barrier } from '../testing';
import { agentFixture } from './fixtures/agent-fixture';

it('an application closes while the ledger hangs', async () => {
  const asked = new Barrier();
  const removeUsage = (): Promise<void> => {
    asked.open();
    return new Promise(() => undefined);
  };
  const store: SessionStore = Object.assign(memoryStore(), { removeUsage });
  const options = { sweepEveryMs: 1 };
  const { module } = await agentFixture({ store, options, closeWithinMs: 50 });
  await asked.pass();
  await expect(module.close()).resolves.toBeUndefined();
});
