import * as fc from 'fast-check';
import {
  estimatedUsage,
  type Message,
  textMessage,
  textOf,
  type ToolResultBlock,
  toolUsesOf,
} from '../../message';
import { journals } from './fixtures/journal.arbitrary';
import { problemsOf } from './fixtures/valid-history';
import { recorded } from './fixtures/recorded';
import type { ActionAnswer, SessionEntry } from './entries';
import { applyEntry, sessionStateOf } from './session-fold';
import { EMPTY_SESSION, pendingActionsOf } from './session-state';
import { transcriptOf } from './transcript';

const runId = 'run-1';
const started: SessionEntry = {
  type: 'run.started',
  runId,
  startedAt: '2026-01-01T00:00:00.000Z',
  modelName: 'test',
};
const question: SessionEntry = { type: 'message', runId, message: textMessage('user', 'Hello') };

const usage = estimatedUsage(3, 2);

function stepOf(message: Message, step = 1): Extract<SessionEntry, { type: 'step.finished' }> {
  return { type: 'step.finished', runId, step, message, usage, finishReason: 'tool_use' };
}

function asking(...ids: string[]): SessionEntry {
  const content = ids.map((id) => ({ type: 'tool_use', id, name: 'add', input: { id } }) as const);
  return stepOf({ role: 'assistant', content });
}

const stateOf = (entries: readonly SessionEntry[]) => sessionStateOf(recorded(entries));

function result(id: string, content = id): ToolResultBlock {
  return { type: 'tool_result', tool_use_id: id, content, is_error: false };
}

function settled(id: string, content = id): SessionEntry {
  return { type: 'call.settled', runId, result: result(id, content), durationMs: 4, outcome: 'ok' };
}

function required(callId: string): SessionEntry {
  const expiresAt = '2026-01-01T01:00:00.000Z';
  const action = {
    type: 'approval',
    callId,
    name: 'add',
    input: { id: callId },
    expiresAt,
  } as const;
  return { type: 'action.required', runId, action };
}

function answered(callId: string, answer: ActionAnswer): SessionEntry {
  return { type: 'action.answered', runId, callId, answer };
}

describe('a journal’s fold', () => {
  it('is a valid history at every prefix, once the open calls are settled', () => {
    fc.assert(
      fc.property(journals, fc.nat(), (journal, cut) => {
        const state = stateOf(journal.slice(0, cut % (journal.length + 1)));
        const after = state.openCalls.map(({ call }) => settled(call.id)).reduce(applyEntry, state);
        expect(problemsOf(after.messages)).toEqual([]);
        expect(after.openCalls).toEqual([]);
      }),
    );
  });

  it('is a valid history whatever a crashed run is followed by', () => {
    fc.assert(
      fc.property(journals, journals, fc.nat(), (first, second, cut) => {
        const state = stateOf([...first.slice(0, cut % (first.length + 1)), ...second]);
        expect(problemsOf(state.messages)).toEqual([]);
      }),
    );
  });

  it('loses no message and keeps their order', () => {
    fc.assert(
      fc.property(journals, (journal) => {
        const said = journal.flatMap((entry) =>
          'message' in entry && typeof entry.message !== 'string' ? [entry.message] : [],
        );
        const { messages } = stateOf(journal);
        const kept = messages.filter(({ content }) => content[0]?.type !== 'tool_result');
        expect(kept.map(({ role }) => role)).toEqual(said.map(({ role }) => role));
        expect(kept.map(({ content }) => content[0])).toEqual(
          said.map(({ content }) => content[0]),
        );
      }),
    );
  });

  it('is the same whether it was folded at once, step by step, or in two parts', () => {
    fc.assert(
      fc.property(journals, fc.nat(), (journal, cut) => {
        const at = cut % (journal.length + 1);
        const stored = recorded(journal);
        const early = sessionStateOf(stored.slice(0, at));
        const steps = stored
          .slice(at)
          .reduce((state, { entry }) => applyEntry(state, entry), early);
        expect(steps).toEqual(sessionStateOf(stored));
        expect(sessionStateOf(stored.slice(at), early)).toEqual(steps);
      }),
    );
  });

  it('finds a call and the place of its result without reading all others', () => {
    let reads = 0;
    const counted = <Read extends object>(value: Read, property: string): Read =>
      new Proxy(value, {
        get: (of, key) => {
          if (key === property) reads += 1;
          return Reflect.get(of, key) as unknown;
        },
      });
    const ids = Array.from({ length: 100 }, (_, index) => `call_${index}`);
    const asked = stateOf([started, question, asking(...ids)]);
    const run = asked.run && {
      run: { ...asked.run, calls: asked.run.calls.map((call) => counted(call, 'id')) },
    };
    // The last call first: the others are still the counted ones.
    const last = ids.toReversed().map((id) => settled(id));
    last.reduce(applyEntry, { ...asked, ...run });
    expect(reads).toBeLessThan(500);

    reads = 0;
    const inOrder = ids.map((id): SessionEntry => {
      const counting = counted(result(id), 'type');
      return { type: 'call.settled', runId, result: counting, durationMs: 4, outcome: 'ok' };
    });
    expect(inOrder.reduce(applyEntry, asked).openCalls).toEqual([]);
    expect(reads).toBeLessThan(500);
  });

  it('does not change a state it was given', () => {
    const before = stateOf([started, question, asking('a', 'b')]);
    const copy = structuredClone(before);
    applyEntry(before, settled('a'));
    expect(before).toEqual(copy);
  });

  it('does not change the entries it was given', () => {
    fc.assert(
      fc.property(journals, (journal) => {
        const stored = recorded(journal);
        const copy = structuredClone(stored);
        sessionStateOf(stored);
        transcriptOf(stored);
        expect(stored).toEqual(copy);
        expect(EMPTY_SESSION.messages).toEqual([]);
      }),
    );
  });

  it('knows where in the journal its messages were said', () => {
    fc.assert(
      fc.property(journals, fc.integer({ min: 1, max: 9 }), (journal, from) => {
        const { messages, positions, version } = sessionStateOf(recorded(journal, from));
        expect(positions).toHaveLength(messages.length);
        expect([...positions].sort((a, b) => a - b)).toEqual(positions);
        expect(version).toBe(from + journal.length - 1);
      }),
    );
  });

  it('passes over kinds that only a newer release knows, and keeps counting', () => {
    const unknown = { type: 'of.another.release', runId, v: 1, seq: 3 } as unknown as SessionEntry;
    const state = [started, question, unknown, asking('a')].reduce(applyEntry, EMPTY_SESSION);
    expect(state.messages).toHaveLength(2);
    expect(state).toMatchObject({ version: 4, run: { lastSeq: 3 } });
  });

  it('refuses a session that is written in a newer form', () => {
    const newer = { ...question, v: 3 };
    expect(() => applyEntry(EMPTY_SESSION, newer)).toThrow(
      expect.objectContaining({ code: 'session_newer' }),
    );
  });

  it('groups results right after their calls, in the order of the calls', () => {
    const state = stateOf([question, asking('a', 'b', 'c'), settled('c'), settled('a')]);
    expect(state.messages[2]).toEqual({ role: 'user', content: [result('a'), result('c')] });
    expect(state.openCalls.map(({ call }) => call.id)).toEqual(['b']);
  });

  it('lets the first result stand and ignores results of calls that nobody made', () => {
    const state = stateOf([
      question,
      settled('x'),
      asking('a'),
      settled('x'),
      settled('a', 'first'),
      settled('a', 'second'),
    ]);
    expect(state.messages.slice(2)).toEqual([{ role: 'user', content: [result('a', 'first')] }]);
  });

  it('tells calls of two steps apart that carry the same id', () => {
    const state = stateOf([
      started,
      question,
      asking('call_0'),
      settled('call_0', 'one'),
      asking('call_0'),
      settled('call_0', 'two'),
    ]);
    expect(problemsOf(state.messages)).toEqual([]);
    expect(state.run?.calls.map(({ output }) => output)).toEqual(['one', 'two']);
  });

  it('says which open calls had started', () => {
    const state = stateOf([
      question,
      asking('a', 'b'),
      { type: 'call.started', runId, callId: 'b' },
    ]);
    expect(state.openCalls.map(({ call, started: was }) => [call.id, was])).toEqual([
      ['a', false],
      ['b', true],
    ]);
  });

  it('leaves out messages without content, which providers refuse', () => {
    const empty: Message = { role: 'assistant', content: [], partial: true };
    const state = stateOf([question, stepOf(empty)]);
    expect(state.messages).toHaveLength(1);
  });

  it('keeps groups and remembered permissions across runs', () => {
    const state = stateOf([
      { type: 'groups.changed', active: ['orders'] },
      { type: 'permission.remembered', tool: 'deploy' },
      { type: 'permission.remembered', tool: 'rollback' },
      { type: 'permission.remembered', tool: 'deploy', digest: 'd2' },
      { type: 'permission.revoked', tool: 'rollback' },
      { type: 'groups.changed', active: [] },
      started,
    ]);
    expect(state.activeGroups).toEqual([]);
    expect(state.rememberedTools).toEqual([{ name: 'deploy', digest: 'd2' }]);
    expect(EMPTY_SESSION.activeGroups).toBeUndefined();
  });

  it('measures the history by what the provider counted', () => {
    const state = stateOf([question, asking('a'), settled('a')]);
    expect(state.measured).toEqual({ messages: 2, tokens: 5 });
  });
});

describe('actions of a run', () => {
  const parked = [started, question, asking('a', 'b'), required('a'), required('b')];

  it('are pending until they are answered', () => {
    const all = stateOf([...parked, { type: 'run.parked', runId }]);
    // run.started, step.finished and its two calls, the pending action, run.finished.
    expect(all.run).toMatchObject({ status: 'requires_action', lastSeq: 7 });
    expect(pendingActionsOf(all).map(({ callId }) => callId)).toEqual(['a', 'b']);
    const one = applyEntry(all, answered('a', { type: 'approve' }));
    expect(pendingActionsOf(one).map(({ callId }) => callId)).toEqual(['b']);
    expect(one.actions[0]).toMatchObject({ answer: { type: 'approve' }, settled: false });
    expect(applyEntry(one, { type: 'run.resumed', runId }).run).toMatchObject({
      status: 'running',
    });
  });

  it('stay known after their call was settled, so that a second answer can be told from a wrong one', () => {
    const state = stateOf([...parked, settled('b')]);
    expect(pendingActionsOf(state).map(({ callId }) => callId)).toEqual(['a']);
    expect(state.actions[1]).toMatchObject({ settled: true });
    expect(applyEntry(state, { ...started, runId: 'run-2' }).actions).toEqual([]);
  });

  it('give the call its edited input, in the history and in the run as well', () => {
    const edited = { type: 'approve', input: { id: 'other' } } as const;
    const state = stateOf([...parked, answered('b', edited)]);
    expect(state.openCalls[1]?.call.input).toEqual({ id: 'other' });
    expect(toolUsesOf(state.messages[1] ?? { content: [] })[1]?.input).toEqual({ id: 'other' });
    expect(state.run?.calls[1]?.input).toEqual({ id: 'other' });
    expect(state.run?.calls[0]?.input).toEqual({ id: 'a' });
  });
});

describe('a run’s state', () => {
  it('adds up its steps and ends as its last entry says', () => {
    const state = stateOf([
      started,
      question,
      asking('a'),
      settled('a'),
      stepOf(textMessage('assistant', 'Done.'), 2),
    ]);
    expect(state.run).toMatchObject({
      position: 1,
      steps: 2,
      usage: { totalTokens: 10 },
      calls: [{ id: 'a', name: 'add', output: 'a', isError: false, durationMs: 4 }],
    });
    const finished = applyEntry(state, {
      type: 'run.finished',
      runId,
      status: 'failed',
      stopReason: 'error',
      message: 'No.',
      usage,
    });
    expect(finished.run).toMatchObject({ status: 'failed', stopReason: 'error', usage });
  });
});

describe('a compaction', () => {
  const summary = textMessage('system', 'Summary');
  const compacted = (keepFrom: number, keepAlso?: number): SessionEntry => ({
    type: 'compacted',
    runId,
    summary,
    keepFrom,
    ...(keepAlso !== undefined && { keepAlso }),
    tokensBefore: 9,
    tokensAfter: 2,
    messages: 2,
    usage,
    rememberedTools: [{ name: 'deploy' }],
  });
  const before = [started, question, asking('a'), settled('a'), asking('b'), settled('b')];

  it('leaves pictures of earlier questions out, and those of the one under way in', () => {
    const shown = (run: string): SessionEntry => ({
      type: 'message',
      runId: run,
      message: {
        role: 'user',
        content: [
          { type: 'text', text: run },
          { type: 'image', url: 'https://example.com/a.png' },
        ],
      },
    });
    const next: SessionEntry = { ...started, runId: 'run-2' };
    const state = stateOf([
      started,
      shown(runId),
      stepOf(textMessage('assistant', 'Nice.')),
      next,
      shown('run-2'),
      { ...compacted(1), runId: 'run-2' } as SessionEntry,
    ]);
    expect(state.messages.map(({ content }) => content.map(({ type }) => type))).toEqual([
      ['text'],
      ['text', 'text'],
      ['text'],
      ['text', 'image'],
    ]);
    expect(textOf(state.messages[1] ?? { content: [] })).toContain('Something was attached here');
  });

  it('puts the summary in the place of what stands before', () => {
    const state = stateOf([...before, compacted(5), question]);
    expect(state.positions).toEqual([0, 5, 5, 8]);
    expect(state.messages[0]).toEqual(summary);
    expect(problemsOf(state.messages)).toEqual([]);
    expect(state.rememberedTools).toEqual([{ name: 'deploy' }]);
    expect(state.measured).toBeUndefined();
    expect(state.run?.usage.totalTokens).toBe(15);
  });

  it('keeps the question that the rest answers', () => {
    expect(stateOf([...before, compacted(5, 2)]).positions).toEqual([0, 2, 5, 5]);
  });

  it('may be read from the first message that it keeps', () => {
    const stored = recorded([...before, compacted(5), question]);
    const [whole, late] = [sessionStateOf(stored), sessionStateOf(stored.slice(4))];
    expect({ ...late, run: undefined }).toEqual({ ...whole, run: undefined });
  });

  it('stands for what an earlier one stood for', () => {
    const state = stateOf([...before, compacted(5), question, compacted(8)]);
    expect(state.positions).toEqual([0, 8]);
  });

  it('does not shorten the transcript, unless what stood before is gone', () => {
    const stored = recorded([question, compacted(3), question]);
    expect(transcriptOf(stored)).toHaveLength(2);
    expect(transcriptOf(stored.slice(1))).toMatchObject([summary, textMessage('user', 'Hello')]);
  });
});
