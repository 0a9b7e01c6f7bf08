import { Deliveries, type Delivery, type SharedDeliveries } from './deliveries';

const TIMEOUT_MS = 30_000;

/** What two processes agree on, in memory. */
function sharedDeliveries(): SharedDeliveries & { readonly looks: () => number } {
  const taken = new Map<string, Delivery | undefined>();
  let looks = 0;
  return {
    put: (callId, delivery) => {
      const isFirst = !taken.has(callId);
      if (isFirst) taken.set(callId, delivery);
      return Promise.resolve(isFirst);
    },
    look: (callId) => {
      looks += 1;
      return Promise.resolve(taken.get(callId));
    },
    looks: () => looks,
  };
}

describe('Deliveries', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('take a result from the moment its call is announced, once', async () => {
    const deliveries = new Deliveries();
    expect(await deliveries.deliver('c1', { type: 'result', result: 1 })).toBe(false);
    deliveries.announce('c1');
    expect(await deliveries.deliver('c1', { type: 'result', result: 1 })).toBe(true);
    expect(await deliveries.deliver('c1', { type: 'result', result: 2 })).toBe(false);
    expect(await deliveries.take('c1', TIMEOUT_MS)).toBe(1);
  });

  it('wait for it no longer than they may', async () => {
    const deliveries = new Deliveries();
    const taken = expect(deliveries.take('c1', TIMEOUT_MS)).rejects.toMatchObject({
      code: 'timeout',
    });
    await jest.advanceTimersByTimeAsync(TIMEOUT_MS);
    await taken;
    expect(await deliveries.deliver('c1', { type: 'result', result: 1 })).toBe(false);
  });

  it('hear what came in at another process, and say there that it is too late', async () => {
    const shared = sharedDeliveries();
    const deliveries = new Deliveries(shared);
    const taken = deliveries.take('c1', TIMEOUT_MS);
    expect(await shared.put('c1', { type: 'result', result: 1 })).toBe(true);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await taken).toBe(1);
    expect(await deliveries.deliver('c1', { type: 'result', result: 2 })).toBe(false);
    const late = expect(deliveries.take('c2', TIMEOUT_MS)).rejects.toMatchObject({
      code: 'timeout',
    });
    await jest.advanceTimersByTimeAsync(TIMEOUT_MS);
    await late;
    expect(await shared.put('c2', { type: 'result', result: 1 })).toBe(false);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('say of a delivery that it counts, though a look found it before its answer came', async () => {
    const shared = sharedDeliveries();
    let answer: () => void = () => undefined;
    const isAnswered = new Promise<void>((resolve) => (answer = resolve));
    const deliveries = new Deliveries({
      ...shared,
      put: async (...args) => {
        const isFirst = await shared.put(...args);
        await isAnswered;
        return isFirst;
      },
    });
    const taken = deliveries.take('c1', TIMEOUT_MS);
    const delivered = deliveries.deliver('c1', { type: 'result', result: 1 });
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await taken).toBe(1);
    deliveries.close('c1');
    answer();
    expect(await delivered).toBe(true);
  });

  it('keep a result that another process took as the time ran out', async () => {
    const shared = sharedDeliveries();
    const taken = new Deliveries(shared).take('c1', TIMEOUT_MS);
    await jest.advanceTimersByTimeAsync(TIMEOUT_MS - 1);
    expect(await shared.put('c1', { type: 'error', message: 'The page says no' })).toBe(true);
    const refused = expect(taken).rejects.toThrow('The page says no');
    await jest.advanceTimersByTimeAsync(1);
    await refused;
  });

  it('look seldom while nothing comes, and no more once the call is closed', async () => {
    const shared = sharedDeliveries();
    const deliveries = new Deliveries(shared);
    deliveries.take('c1', TIMEOUT_MS).catch(() => undefined);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(shared.looks()).toBeLessThan(15);
    deliveries.close('c1');
    await jest.advanceTimersByTimeAsync(0);
    const looks = shared.looks();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(shared.looks()).toBe(looks);
    expect(jest.getTimerCount()).toBe(0);
  });
});
