import { memoryStore } from './memory.store';

const TURNS = 200;

/** The shortest time of an owner's turns, in a store with this many sessions of other owners. */
async function turnsBeside(sessions: number): Promise<number> {
  const store = memoryStore();
  for (let count = 0; count < sessions; count += 1) await store.create({ id: `${count}` });
  await store.create({ id: 'own', owner: 'alice' });
  const times: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const began = performance.now();
    for (let turn = 0; turn < TURNS; turn += 1) {
      const lease = await store.acquire('own', 1_000, { maxPerOwner: 8 });
      if (lease) await store.release(lease);
    }
    times.push(performance.now() - began);
  }
  return Math.min(...times);
}

it('a lease costs no more with the number of sessions that are held', async () => {
  const [few, many] = [await turnsBeside(10), await turnsBeside(20_000)];
  // Scanning all sessions takes over a hundred times as long.
  expect(many / few).toBeLessThan(20);
});
