import type { AgentEvent } from '../../message';
import { RunTelling } from './run-telling';

const piece = (delta: string) => ({ type: 'text.delta', delta }) as const;
const thought = (delta: string) => ({ type: 'thinking.delta', delta }) as const;

describe('pieces of text on a bus that merges them', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  function tellingWith(mergeMs: () => number | undefined) {
    const telling = new RunTelling({ runId: 'run', sessionId: 'session', onUnstored: () => 0 });
    const sent: AgentEvent[] = [];
    telling.relayTo({
      get mergeMs() {
        return mergeMs();
      },
      publish: (events) => sent.push(...events),
      close: () => undefined,
    });
    const told = (): readonly string[] =>
      sent.map((event) => `${event.seq} ${'delta' in event ? event.delta : event.type}`);
    return { telling, told };
  }

  it('are one event each without a time to merge', () => {
    const { telling, told } = tellingWith(() => undefined);
    for (const word of ['a', 'b', 'c']) telling.say(piece(word));
    expect(told()).toEqual(['1 a', '2 b', '3 c']);
  });

  it('are sent at once, then together after the time, and numbered when they are sent', () => {
    const { telling, told } = tellingWith(() => 50);
    for (const word of ['a', 'b', 'c']) telling.say(piece(word));
    expect(told()).toEqual(['1 a']);
    expect(telling.lastGiven).toBe(1);
    jest.advanceTimersByTime(49);
    telling.say(piece('d'));
    jest.advanceTimersByTime(1);
    expect(told()).toEqual(['1 a', '2 bcd']);
    telling.say(piece('e'));
    expect(told()).toHaveLength(2);
    jest.advanceTimersByTime(50);
    expect(told()).toEqual(['1 a', '2 bcd', '3 e']);
    jest.advanceTimersByTime(50);
    telling.say(piece('f'));
    expect(told().at(-1)).toBe('4 f');
  });

  it('are one event for all readers, those of this process too', () => {
    const { telling, told } = tellingWith(() => 50);
    for (const word of ['a', 'b', 'c']) telling.say(piece(word));
    jest.advanceTimersByTime(50);
    const own = telling.feed.eventsFrom(0) ?? [];
    expect(own.map((event) => `${event.seq} ${'delta' in event ? event.delta : ''}`)).toEqual(
      told(),
    );
  });

  it('keep their order among other events, and texts of two kinds apart', () => {
    const { telling, told } = tellingWith(() => 50);
    for (const word of ['a', 'b']) telling.say(thought(word));
    for (const word of ['c', 'd']) telling.say(piece(word));
    telling.say({ type: 'tool.progress', callId: 'call', data: 1 });
    expect(told()).toEqual(['1 a', '2 b', '3 cd', '4 tool.progress']);
  });

  it('are sent before a write takes the next numbers, and stored with their message', () => {
    const { telling, told } = tellingWith(() => 50);
    for (const word of ['a', 'b', 'c']) telling.say(piece(word));
    telling.beginWriting();
    expect(told()).toEqual(['1 a', '2 bc']);
    telling.say(piece('d'));
    telling.endWriting();
    jest.advanceTimersByTime(50);
    expect(told()).toEqual(['1 a', '2 bc', '3 d']);
    telling.say(piece('e'));
    const content = [{ type: 'text', text: 'abcde' }] as const;
    expect(telling.takePieces({ role: 'assistant', content })).toMatchObject({ seq: 1 });
    expect(told()).toEqual(['1 a', '2 bc', '3 d', '4 e']);
  });

  it('are merged for longer where the bus is behind, and none is lost', () => {
    let mergeMs = 50;
    const { telling, told } = tellingWith(() => mergeMs);
    const said: string[] = [];
    for (let word = 0; word < 100; word += 1) {
      said.push(` ${word}`);
      telling.say(piece(` ${word}`));
      if (word === 50) mergeMs = 500;
      jest.advanceTimersByTime(10);
    }
    jest.advanceTimersByTime(500);
    const events = told();
    expect(events.length).toBeLessThan(15);
    expect(events.map((each) => each.slice(each.indexOf(' ') + 1)).join('')).toBe(said.join(''));
  });
});
