import { memoryStore, type SessionStore } from '../../session';
import { agentFixture } from '../fixtures/agent-fixture';

const OWNER = { principal: 'alice' };

/** A store that counts the entries it returns. */
function countingStore(inner: SessionStore) {
  const counted = { entries: 0, store: inner };
  counted.store = new Proxy(inner, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (name !== 'read')
        return typeof member === 'function' ? (member.bind(target) as unknown) : member;
      return async (...args: Parameters<SessionStore['read']>) => {
        const stored = await target.read(...args);
        counted.entries += stored.length;
        return stored;
      };
    },
  });
  return counted;
}

describe('a process that wrote to a session', () => {
  const process = (store: SessionStore, ...steps: string[]) => agentFixture({ store, steps });

  it('reads of it only what is new', async () => {
    const counted = countingStore(memoryStore());
    const first = await process(counted.store, 'One.', 'Two.', 'Four.');
    const { sessionId } = await first.agent.chat({ message: 'one' }, OWNER);
    await first.agent.chat({ message: 'two', sessionId }, OWNER);
    expect(counted.entries).toBe(0);
    const second = await process(counted.store, 'Three.');
    await second.agent.chat({ message: 'three', sessionId }, OWNER);
    expect(counted.entries).toBe(8);
    await first.agent.chat({ message: 'four', sessionId }, OWNER);
    expect(counted.entries).toBe(12);
    expect(first.model.requests[2]?.messages).toHaveLength(7);
    expect(first.model.requests[2]?.messages).toEqual([
      ...(second.model.requests[0]?.messages ?? []),
      { role: 'assistant', content: [{ type: 'text', text: 'Three.' }] },
      { role: 'user', content: [{ type: 'text', text: 'four' }] },
    ]);
  });

  it('takes nothing of it for another session of the same id', async () => {
    const store = memoryStore();
    const { agent, model } = await process(store, 'One.', 'Two.', 'Three.');
    const { sessionId } = await agent.chat({ message: 'one' }, OWNER);
    await agent.chat({ message: 'two', sessionId }, OWNER);
    // As another process does, without notice to this one.
    await store.delete(sessionId);
    const later = Date.now() + 1;
    const clock = jest.spyOn(Date, 'now').mockReturnValue(later);
    await store.create({ id: sessionId, owner: 'alice' });
    clock.mockRestore();
    await agent.chat({ message: 'three', sessionId }, OWNER);
    expect(JSON.stringify(model.requests[2]?.messages)).not.toContain('one');
  });

  it('reads anew where what it knows ends before what is kept', async () => {
    const store = memoryStore();
    const { agent, model } = await process(store, 'One.', 'Two.');
    const { sessionId } = await agent.chat({ message: 'one' }, OWNER);
    const lease = await store.acquire(sessionId, 1_000);
    if (!lease) throw new Error('Nobody else has it.');
    const { version } = lease.record;
    const said = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] }) as const;
    const entries = ['gone', 'kept'].map(
      (text) => ({ v: 1, type: 'message', runId: 'other', message: said(text) }) as const,
    );
    const readFrom = version + 2;
    const options = { readFrom, discardBefore: true, release: true };
    await store.append(sessionId, { lease, expectedVersion: version, entries, ...options });
    await agent.chat({ message: 'two', sessionId }, OWNER);
    expect(model.requests[1]?.messages).toEqual([said('kept'), said('two')]);
  });
});
