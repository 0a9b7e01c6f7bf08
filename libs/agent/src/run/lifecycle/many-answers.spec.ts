import type { ContentBlock } from '../../message';
import { defineTool } from '../../registry';
import { memoryStore, type SessionStore, type StoredEntry } from '../../session';
import type { ChatAction } from '../request';
import { agentFixture, type AgentFixture, type FixtureOptions } from '../fixtures/agent-fixture';

const ALICE = { principal: 'alice' };
const CALLS = 200;
const BURN = defineTool({
  name: 'burn',
  description: 'Burns one',
  input: { type: 'object' },
  execute: () => 'Burnt.',
});

/** A store that counts reads of call ids in its entries: in actions, and in the model's answer. */
class CountingStore {
  looks = 0;
  looksAtAnswer = 0;
  readonly store: SessionStore = memoryStore();

  constructor() {
    const read = this.store.read.bind(this.store);
    this.store.read = async (...args) =>
      (await read(...args)).map((stored) => this.counted(stored));
  }

  private counted({ position, entry }: StoredEntry): StoredEntry {
    if (entry.type === 'step.finished') {
      const content = entry.message.content.map((block) => this.watched(block));
      return { position, entry: { ...entry, message: { ...entry.message, content } } };
    }
    if (entry.type !== 'action.required') return { position, entry };
    const action = new Proxy(entry.action, {
      get: (of, key) => {
        if (key === 'callId') this.looks += 1;
        return Reflect.get(of, key) as unknown;
      },
    });
    return { position, entry: { ...entry, action } };
  }

  private watched(block: ContentBlock): ContentBlock {
    if (block.type !== 'tool_use') return block;
    const get = () => ((this.looksAtAnswer += 1), block.id);
    return Object.defineProperty({ ...block }, 'id', { get, enumerable: true });
  }
}

describe('the answers to many pending actions of one step', () => {
  const start = async (options: FixtureOptions): Promise<AgentFixture> => {
    const fixture = await agentFixture({ ...options, permissions: { burn: 'ask' } });
    fixture.registry.register(BURN);
    return fixture;
  };

  const answered = async (answerOf: (place: number) => Omit<ChatAction, 'callId'>) => {
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
    const actions = asked.pendingActions.map(({ callId }, place) => ({
      callId,
      ...answerOf(place),
    }));
    const result = await other.agent.resolve(asked.runId, actions.toReversed(), ALICE);
    expect(result).toMatchObject({ status: 'completed', message: 'Done.' });
    return counting;
  };

  it.each(['approve', 'reject'] as const)(
    '(%s) are matched without a look at all others',
    async (type) => {
      const { looks } = await answered(() => ({ type }));
      expect(looks).toBeLessThan(CALLS * 50);
    },
  );

  it('(approve with edited input) change their calls without a look at all others', async () => {
    const { looksAtAnswer } = await answered((place) => ({ type: 'approve', input: { place } }));
    expect(looksAtAnswer).toBeLessThan(CALLS * 50);
  });
});
