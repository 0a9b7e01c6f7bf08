import { setImmediate as turn } from 'node:timers/promises';
import { memoryRuns } from 'nestjs-agent/testing';
import request from 'supertest';
import { Closers } from './http/agent-app';
import { SseStream } from './http/sse-client';

const alice = { authorization: 'Bearer alice' };
/** How often the store's queued runs are swept. */
const SWEEP_MS = 15_000;

describe('without limits of its own, a process that accepts runs for workers', () => {
  const apps = new Closers();
  afterEach(async () => {
    jest.useRealTimers();
    await apps.close();
  });

  const open = async () => {
    const runs = memoryRuns({ role: 'web', credentials: 'none' });
    return { runs, ...(await apps.open({ runs })) };
  };

  it('refuses one more where 10 000 wait, with 503 and queue_full', async () => {
    const { runs, url } = await open();
    const size = jest.spyOn(runs, 'size').mockResolvedValue(9_999);
    const options = { headers: alice, body: { message: 'hi' } };
    const last = await SseStream.open(`${url}/agent/chat/stream`, options);
    expect(await last.next('run.started')).toMatchObject({ type: 'run.started' });
    size.mockResolvedValue(10_000);
    const full = await request(url).post('/agent/chat').set(alice).send({ message: 'hi' });
    expect(full.body).toMatchObject({ statusCode: 503, code: 'queue_full' });
    expect(full.headers['retry-after']).toBe('5');
    expect(runs.jobs()).toHaveLength(1);
    last.drop();
  });

  it('ends a run that no worker took within a minute, with 503 and queue_timeout', async () => {
    jest.useFakeTimers({
      doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'setTimeout', 'clearTimeout'],
    });
    const { runs, url } = await open();
    /** A message whose run waits. */
    const queued = async (count: number) => {
      const answer = request(url).post('/agent/chat').set(alice).send({ message: 'hi' });
      const answered = answer.then(({ body }) => body as object);
      while (runs.jobs().length < count) await turn();
      return { answered, runId: runs.jobs().at(-1)?.job.runId };
    };
    await jest.advanceTimersByTimeAsync(SWEEP_MS - 1);
    const early = await queued(1);
    await jest.advanceTimersByTimeAsync(2);
    const late = await queued(2);
    // The next sweep but one sees the first after 60 001 ms, the second after 59 999 ms.
    await jest.advanceTimersByTimeAsync(4 * SWEEP_MS - 1);
    expect(await early.answered).toMatchObject({ statusCode: 503, code: 'queue_timeout' });
    const status = () => request(url).get(`/agent/runs/${late.runId}`).set(alice);
    expect((await status()).body).toMatchObject({ status: 'queued' });
    await jest.advanceTimersByTimeAsync(SWEEP_MS);
    expect(await late.answered).toMatchObject({ code: 'queue_timeout' });
    expect(runs.jobs()).toEqual([]);
  });
});
