import * as fc from 'fast-check';
import { NO_USAGE, textMessage } from '../../message';
import { countLengths, decodeLengths, encodeLength } from './entries/lengths';
import { journals } from './fixtures/journal.arbitrary';
import { recorded } from './fixtures/recorded';
import { countPieces, GatheredPieces, piecesOf, type PieceBody } from './entries/pieces';
import type { RecordedEntry } from './entries/session-entry';
import { applyEntry } from './session-fold';
import { EMPTY_SESSION, sessionFrom } from './session-state';
import { numbersOf, eventsOfEntry } from './entry-events';

const delta = fc.string({ unit: 'binary', maxLength: 40 });
const callId = fc.constantFrom('call_1', 'call_2', 'text.delta');
const piece: fc.Arbitrary<PieceBody> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('text.delta'), delta }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('thinking.delta'), delta }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('step.started'), step: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('tool.input.delta'),
      callId,
      name: fc.constant('add'),
      kind: fc.constant('provider'),
      delta,
    }),
  },
);

describe('lengths', () => {
  it('are read as they were written, whatever they are', () => {
    fc.assert(
      fc.property(fc.array(fc.nat()), (lengths) => {
        const text = lengths.map(encodeLength).join('');
        expect(decodeLengths(text)).toEqual(lengths);
        expect(countLengths(text)).toBe(lengths.length);
      }),
    );
    expect(encodeLength(31)).toHaveLength(1);
    expect(encodeLength(2 ** 40)).toHaveLength(9);
  });
});

describe('pieces', () => {
  it('are told again as they were told, from what is stored of them', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const gathered = new GatheredPieces();
        for (const each of pieces) gathered.add(each);
        const message = gathered.message();
        const stored = JSON.parse(JSON.stringify(gathered.beside(message))) as ReturnType<
          GatheredPieces['beside']
        >;
        expect(piecesOf(stored, message)).toEqual(pieces);
        expect(countPieces(stored)).toBe(pieces.length);
      }),
    );
  });

  it('hold no text that the message has, and of arguments only what JSON would not write', () => {
    const gathered = new GatheredPieces();
    gathered.add({ type: 'text.delta', delta: 'I ' });
    gathered.add({ type: 'text.delta', delta: 'add.' });
    const call = { type: 'tool.input.delta', callId: 'c1', name: 'add', kind: 'provider' } as const;
    gathered.add({ ...call, delta: '{"a"' });
    gathered.add({ ...call, delta: ':1}' });
    gathered.add({ ...call, callId: 'c2', delta: '{ "a": 1 }' });
    const stored = gathered.beside({
      role: 'assistant',
      content: [
        { type: 'text', text: 'I add.' },
        { type: 'tool_use', id: 'c1', name: 'add', input: { a: 1 } },
        { type: 'tool_use', id: 'c2', name: 'add', input: { a: 1 } },
      ],
    });
    expect(stored).toEqual([
      { of: 'text', lengths: 'CE' },
      { of: 'input', callId: 'c1', name: 'add', kind: 'provider', lengths: 'ED' },
      {
        of: 'input',
        callId: 'c2',
        name: 'add',
        kind: 'provider',
        lengths: 'K',
        text: '{ "a": 1 }',
      },
    ]);
  });
});

describe('what a journal tells', () => {
  it('has as many numbers as events, strictly rising by one within each run', () => {
    fc.assert(
      fc.property(journals, (journal) => {
        const last = new Map<string, number>();
        let state = EMPTY_SESSION;
        for (const { entry } of recorded(journal)) {
          state = applyEntry(state, entry);
          const events = eventsOfEntry(entry, state, 'ses_1');
          expect(events).toHaveLength(numbersOf(entry));
          for (const { runId, seq } of events) {
            expect(seq).toBe((last.get(runId) ?? 0) + 1);
            last.set(runId, seq);
          }
        }
        expect(state.run?.lastSeq).toBe(last.get(state.run?.runId ?? ''));
      }),
    );
  });

  it('is told from any number on', () => {
    fc.assert(
      fc.property(journals, fc.nat(40), (journal, after) => {
        let state = EMPTY_SESSION;
        for (const { entry } of recorded(journal)) {
          state = applyEntry(state, entry);
          const rest = eventsOfEntry(entry, state, 'ses_1', after);
          expect(rest).toEqual(
            eventsOfEntry(entry, state, 'ses_1').filter(({ seq }) => seq > after),
          );
        }
      }),
    );
  });

  it('needs no more of the journal than its own run', () => {
    fc.assert(
      fc.property(journals, (journal) => {
        const stored = recorded(journal);
        const start = stored.findLastIndex(({ entry }) => entry.type === 'run.started');
        let [whole, own] = [EMPTY_SESSION, sessionFrom(start + 1)];
        for (const [index, { entry }] of stored.entries()) {
          whole = applyEntry(whole, entry);
          if (index < start) continue;
          own = applyEntry(own, entry);
          expect(eventsOfEntry(entry, own, 'ses_1')).toEqual(eventsOfEntry(entry, whole, 'ses_1'));
        }
      }),
    );
  });

  it('is nothing where the entry has no number, or nobody here knows its kind', () => {
    const settled: RecordedEntry = {
      v: 1,
      type: 'run.finished',
      runId: 'run_1',
      status: 'completed',
      stopReason: 'end_turn',
      message: '',
      usage: NO_USAGE,
    };
    const unknown = { v: 1, seq: 4, type: 'of.another.release', runId: 'run_1' };
    expect(eventsOfEntry(settled, EMPTY_SESSION, 'ses_1')).toEqual([]);
    expect(eventsOfEntry(unknown as unknown as RecordedEntry, EMPTY_SESSION, 'ses_1')).toEqual([]);
  });

  it('is one piece where an assistant’s message was not told in pieces', () => {
    const message = textMessage('assistant', 'Enough.');
    const entry: RecordedEntry = { v: 1, seq: 9, type: 'message', runId: 'run_1', message };
    expect(eventsOfEntry(entry, EMPTY_SESSION, 'ses_1')).toEqual([
      { type: 'text.delta', delta: 'Enough.', runId: 'run_1', seq: 9 },
    ]);
  });
});
