import { setTimeout as delay } from 'node:timers/promises';
import type { AgentEvent } from 'nestjs-agent';
import type { SseStream } from '../http/sse-client';
import { Fleet } from './fleet';

jest.setTimeout(300_000);

const WORDS = 40;
const WHOLE = `Well.${Array.from({ length: WORDS }, (_, index) => ` ${index + 1}`).join('')} Done.`;

describe('a rolling deployment of three processes', () => {
  let fleet: Fleet;

  beforeEach(async () => {
    fleet = await Fleet.start(3, {
      onDisconnect: 'continue',
      shutdown: { drainMs: 60_000 },
    });
  });

  afterEach(() => fleet.close());

  /** Sends a message as often as it is told to come back. */
  async function begun(user: string): Promise<SseStream> {
    for (;;) {
      const stream = await fleet.stream(user, { message: `say ${WORDS} words` });
      if (stream.status === 200) return stream;
      expect(stream.status).toBe(503);
      expect(stream.response.headers['retry-after']).toBe('1');
      await delay(50);
    }
  }

  /** Reads to the run's end, as often as the stream ends before it. */
  async function toItsEnd(user: string, stream: SseStream): Promise<readonly AgentEvent[]> {
    const events = [...(await stream.all())];
    for (;;) {
      const last = events.at(-1);
      if (last === undefined) throw new Error(`Nothing was told: ${stream.text}`);
      if (last.type === 'run.finished') return events;
      const next = await fleet.events(user, last.runId, last.seq);
      expect(next.status).toBe(200);
      events.push(...(await next.all()));
    }
  }

  const textOf = (events: readonly AgentEvent[]): string =>
    events.map((event) => (event.type === 'text.delta' ? event.delta : '')).join('');

  it('lets 250 of 250 answers be read whole, and once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const next = await Promise.all([fleet.another(), fleet.another(), fleet.another()]);
      let speaking = 0;
      let tellSpeaking: () => void = () => undefined;
      const isSpeaking = new Promise<void>((resolve) => (tellSpeaking = resolve));
      const reading = Array.from({ length: 50 }, async (_, index) => {
        const user = `user-${index}`;
        // Some come while processes are replaced.
        if (index >= 35) await isSpeaking.then(() => delay((index - 35) * 100));
        const stream = await begun(user);
        const { runId } = await stream.next('run.started');
        speaking += 1;
        if (speaking === 35) tellSpeaking();
        // Every fifth is read along elsewhere as well.
        const along =
          index % 5 === 0 ? toItsEnd(user, await fleet.events(user, runId, 0)) : undefined;
        return [await toItsEnd(user, stream), await along];
      });
      await isSpeaking;
      const ends: Promise<void>[] = [];
      for (const server of next) {
        const [old] = fleet.servers.filter((each) => !next.includes(each));
        if (old) ends.push(fleet.replace(old, server));
        await delay(500);
      }
      await Promise.all(ends);
      for (const events of (await Promise.all(reading)).flat()) {
        if (events === undefined) continue;
        expect(events.filter(({ type }) => type === 'error')).toEqual([]);
        expect(textOf(events)).toBe(WHOLE);
        expect(events.at(-1)).toMatchObject({ status: 'completed' });
        const numbers = events.map(({ seq }) => seq);
        expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
      }
    }
  });
});
