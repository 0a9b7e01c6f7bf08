import { defineTool } from '../../registry';
import { memoryStore, type SessionStore, type StoredEntry } from '../../session';
import { agentFixture, type AgentFixture, type FixtureOptions } from '../fixtures/agent-fixture';

const ALICE = { principal: 'alice' };
const CALLS = 200;
const BURN = defineTool({
  name: 'burn',
  description: 'Burns one',
  input: { type: 'object' },
  execute: () => 'Burnt.',
});

/** A store that counts the looks at the calls' ids in what it reads. */
class CountingStore {
  looks = 0;
  readonly store: SessionStore = memoryStore();

  constructor() {
    const read = this.store.read.bind(this.store);
    this.store.read = async (...args) =>
      (await read(...args)).map((stored) => this.counted(stored));
  }

  private counted({ position, entry }: StoredEntry): StoredEntry {
    if (entry.type !== 'action.required') return { position, entry };
    const action = new Proxy(entry.action, {
      get: (of, key) => {
        if (key === 'callId') this.looks += 1;
        return Reflect.get(of, key) as unknown;
      },
    });
    return { position, entry: { ...entry, action } };
  }
}

describe('the answers to many pending actions of one step', () => {
  const start = async (options: FixtureOptions): Promise<AgentFixture> => {
    const fixture = await agentFixture({ ...options, permissions: { burn: 'ask' } });
    fixture.registry.register(BURN);
    return fixture;
  };

  it.each(['approve', 'reject'] as const)(
    '(%s) are matched without a look at all others',
    async (type) => {
      const counting = new CountingStore();
      const { store } = counting;
      const toolCalls = Array.from({ length: CALLS }, (_, index) => ({
        id: `c${index}`,
        name: 'burn',
        input: { index },
      }));
      const asked = await (
        await start({ store, steps: [{ toolCalls }] })
      ).agent.chat({ message: 'go' }, ALICE);
      const other = await start({ store, steps: [{ text: 'Done.' }] });
      const actions = asked.pendingActions.map(({ callId }) => ({ callId, type }));
      const result = await other.agent.resolve(asked.runId, actions.toReversed(), ALICE);
      expect(result).toMatchObject({ status: 'completed', message: 'Done.' });
      expect(counting.looks).toBeLessThan(CALLS * 50);
    },
  );
});
