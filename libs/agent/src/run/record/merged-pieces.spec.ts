import type { AgentEvent } from '../../message';
import { RunEmitter } from './run-emitter';

const piece = (delta: string) => ({ type: 'text.delta', delta }) as const;
const thought = (delta: string) => ({ type: 'thinking.delta', delta }) as const;

describe('pieces of text on a bus that merges them', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  function emitterWith(mergeMs: () => number | undefined) {
    const emitter = new RunEmitter({ runId: 'run', sessionId: 'session', onUnstored: () => 0 });
    const sent: AgentEvent[] = [];
    emitter.relayTo({
      get mergeMs() {
        return mergeMs();
      },
      publish: (events) => sent.push(...events),
      close: () => undefined,
    });
    const told = (): readonly string[] =>
      sent.map((event) => `${event.seq} ${'delta' in event ? event.delta : event.type}`);
    return { emitter, told };
  }

  it('are one event each without a time to merge', () => {
    const { emitter, told } = emitterWith(() => undefined);
    for (const word of ['a', 'b', 'c']) emitter.emit(piece(word));
    expect(told()).toEqual(['1 a', '2 b', '3 c']);
  });

  it('are sent at once, then together after the time, and numbered when they are sent', () => {
    const { emitter, told } = emitterWith(() => 50);
    for (const word of ['a', 'b', 'c']) emitter.emit(piece(word));
    expect(told()).toEqual(['1 a']);
    expect(emitter.lastGiven).toBe(1);
    jest.advanceTimersByTime(49);
    emitter.emit(piece('d'));
    jest.advanceTimersByTime(1);
    expect(told()).toEqual(['1 a', '2 bcd']);
    emitter.emit(piece('e'));
    expect(told()).toHaveLength(2);
    jest.advanceTimersByTime(50);
    expect(told()).toEqual(['1 a', '2 bcd', '3 e']);
    jest.advanceTimersByTime(50);
    emitter.emit(piece('f'));
    expect(told().at(-1)).toBe('4 f');
  });

  it('are one event for all readers, those of this process too', () => {
    const { emitter, told } = emitterWith(() => 50);
    for (const word of ['a', 'b', 'c']) emitter.emit(piece(word));
    jest.advanceTimersByTime(50);
    const own = emitter.feed.eventsFrom(0) ?? [];
    expect(own.map((event) => `${event.seq} ${'delta' in event ? event.delta : ''}`)).toEqual(
      told(),
    );
  });

  it('keep their order among other events, and texts of two kinds apart', () => {
    const { emitter, told } = emitterWith(() => 50);
    for (const word of ['a', 'b']) emitter.emit(thought(word));
    for (const word of ['c', 'd']) emitter.emit(piece(word));
    emitter.emit({ type: 'tool.progress', callId: 'call', data: 1 });
    expect(told()).toEqual(['1 a', '2 b', '3 cd', '4 tool.progress']);
  });

  it('are sent before a write takes the next numbers, and stored with their message', () => {
    const { emitter, told } = emitterWith(() => 50);
    for (const word of ['a', 'b', 'c']) emitter.emit(piece(word));
    emitter.beginWriting();
    expect(told()).toEqual(['1 a', '2 bc']);
    emitter.emit(piece('d'));
    emitter.endWriting();
    jest.advanceTimersByTime(50);
    expect(told()).toEqual(['1 a', '2 bc', '3 d']);
    emitter.emit(piece('e'));
    const content = [{ type: 'text', text: 'abcde' }] as const;
    expect(emitter.takePieces({ role: 'assistant', content })).toMatchObject({ seq: 1 });
    expect(told()).toEqual(['1 a', '2 bc', '3 d', '4 e']);
  });

  it('are merged for longer where the bus is behind, and none is lost', () => {
    let mergeMs = 50;
    const { emitter, told } = emitterWith(() => mergeMs);
    const said: string[] = [];
    for (let word = 0; word < 100; word += 1) {
      said.push(` ${word}`);
      emitter.emit(piece(` ${word}`));
      if (word === 50) mergeMs = 500;
      jest.advanceTimersByTime(10);
    }
    jest.advanceTimersByTime(500);
    const events = told();
    expect(events.length).toBeLessThan(15);
    expect(events.map((each) => each.slice(each.indexOf(' ') + 1)).join('')).toBe(said.join(''));
  });
});
