import { describeSessionStore } from '../../testing/session-store-contract';
import { memoryStore } from './memory.store';

describeSessionStore('memoryStore()', { create: () => memoryStore() });

it('keeps a lease where the clock is set forward', async () => {
  const store = memoryStore();
  await store.create({ id: 'held' });
  const lease = await store.acquire('held', 60_000);
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
  try {
    expect(await store.acquire('held', 60_000)).toBeUndefined();
    expect(lease && (await store.renew(lease, 60_000))).toMatchObject({ isHeld: true });
  } finally {
    clock.mockRestore();
  }
});
