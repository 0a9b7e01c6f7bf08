import * as fc from 'fast-check';
import { textMessage, toolUsesOf } from '../message';
import type { Message, ToolResultBlock } from '../message';
import { journals } from './fixtures/journal.arbitrary';
import { problemsOf } from './fixtures/valid-history';
import { runStateOf } from './run-state';
import type { ActionAnswer, SessionEntry } from './session-entry';
import {
  applyEntry,
  EMPTY_SESSION,
  pendingActionsOf,
  sessionStateOf,
  settleOpenCalls,
  transcriptOf,
} from './session-state';

const runId = 'run-1';
const started: SessionEntry = { type: 'run.started', runId, startedAt: '2026-01-01T00:00:00.000Z' };
const question: SessionEntry = { type: 'message', runId, message: textMessage('user', 'Hello') };

function asking(...ids: string[]): SessionEntry {
  const content = ids.map((id) => ({ type: 'tool_use', id, name: 'add', input: { id } }) as const);
  return { type: 'message', runId, message: { role: 'assistant', content } };
}

function result(id: string, content = id): ToolResultBlock {
  return { type: 'tool_result', tool_use_id: id, content, is_error: false };
}

function settled(id: string, content = id): SessionEntry {
  return { type: 'call.settled', runId, result: result(id, content), durationMs: 4 };
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
        const state = sessionStateOf(journal.slice(0, cut % (journal.length + 1)));
        const after = settleOpenCalls(state, 'interrupted').reduce(applyEntry, state);
        expect(problemsOf(after.messages)).toEqual([]);
        expect(after.openCalls).toEqual([]);
      }),
    );
  });

  it('is a valid history whatever a crashed run is followed by', () => {
    fc.assert(
      fc.property(journals, journals, fc.nat(), (first, second, cut) => {
        const state = sessionStateOf([...first.slice(0, cut % (first.length + 1)), ...second]);
        expect(problemsOf(state.messages)).toEqual([]);
      }),
    );
  });

  it('loses no message and keeps their order', () => {
    fc.assert(
      fc.property(journals, (journal) => {
        const said = journal.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []));
        const { messages } = sessionStateOf(journal);
        const kept = messages.filter(({ content }) => content[0]?.type !== 'tool_result');
        expect(kept.map(({ role }) => role)).toEqual(said.map(({ role }) => role));
        expect(kept.map(({ content }) => content[0])).toEqual(
          said.map(({ content }) => content[0]),
        );
      }),
    );
  });

  it('is the same whether it was folded at once, step by step, or through a JSON snapshot', () => {
    fc.assert(
      fc.property(journals, fc.nat(), (journal, cut) => {
        const at = cut % (journal.length + 1);
        const early = JSON.parse(JSON.stringify(sessionStateOf(journal.slice(0, at)))) as unknown;
        const late = journal.slice(at).reduce(applyEntry, early as typeof EMPTY_SESSION);
        expect(JSON.parse(JSON.stringify(late))).toEqual(
          JSON.parse(JSON.stringify(sessionStateOf(journal))),
        );
      }),
    );
  });

  it('does not change a state it was given', () => {
    const before = sessionStateOf([started, question, asking('a', 'b')]);
    const copy = structuredClone(before);
    applyEntry(before, settled('a'));
    expect(before).toEqual(copy);
  });

  it('does not change the entries it was given, and no checkpoint’s state', () => {
    fc.assert(
      fc.property(journals, journals, (first, second) => {
        const state = sessionStateOf(first);
        const checkpoint: SessionEntry = {
          type: 'compacted',
          runId,
          summary: textMessage('system', 'Summary'),
          tokensBefore: 2,
          tokensAfter: 1,
          messages: 1,
          state,
        };
        const entries = [checkpoint, ...second];
        const copy = structuredClone(entries);
        sessionStateOf(entries);
        transcriptOf(entries);
        expect(entries).toEqual(copy);
        expect(EMPTY_SESSION.messages).toEqual([]);
      }),
    );
  });

  it('groups results right after their calls, in the order of the calls', () => {
    const state = sessionStateOf([question, asking('a', 'b', 'c'), settled('c'), settled('a')]);
    expect(state.messages[2]).toEqual({ role: 'user', content: [result('a'), result('c')] });
    expect(state.openCalls.map(({ call }) => call.id)).toEqual(['b']);
  });

  it('lets the first result stand and ignores results of calls that nobody made', () => {
    const state = sessionStateOf([
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
    const state = sessionStateOf([
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
    const state = sessionStateOf([
      question,
      asking('a', 'b'),
      { type: 'call.started', runId, callId: 'b' },
    ]);
    expect(state.openCalls.map(({ call, started: was }) => [call.id, was])).toEqual([
      ['a', false],
      ['b', true],
    ]);
  });

  it('settles each open call with the text that is asked for', () => {
    const state = sessionStateOf([
      question,
      asking('a', 'b'),
      { type: 'call.started', runId, callId: 'b' },
    ]);
    const entries = settleOpenCalls(state, (open) => (open.started ? 'unknown' : 'not run'));
    expect(entries).toEqual([
      {
        type: 'call.settled',
        runId,
        durationMs: 0,
        result: { type: 'tool_result', tool_use_id: 'a', content: 'not run', is_error: true },
      },
      {
        type: 'call.settled',
        runId,
        durationMs: 0,
        result: { type: 'tool_result', tool_use_id: 'b', content: 'unknown', is_error: true },
      },
    ]);
  });

  it('leaves out messages without content, which providers refuse', () => {
    const empty: Message = { role: 'assistant', content: [], partial: true };
    const state = sessionStateOf([question, { type: 'message', runId, message: empty }]);
    expect(state.messages).toHaveLength(1);
  });

  it('keeps groups and remembered permissions across runs', () => {
    const state = sessionStateOf([
      { type: 'groups.changed', active: ['orders'] },
      { type: 'permission.remembered', tool: 'deploy' },
      { type: 'permission.remembered', tool: 'rollback' },
      { type: 'permission.remembered', tool: 'deploy' },
      { type: 'permission.revoked', tool: 'rollback' },
      { type: 'groups.changed', active: [] },
      started,
    ]);
    expect(state.activeGroups).toEqual([]);
    expect(state.rememberedTools).toEqual(['deploy']);
    expect(EMPTY_SESSION.activeGroups).toBeUndefined();
  });

  it('measures the history by what the provider counted', () => {
    const usage = { inputTokens: 90, outputTokens: 10, totalTokens: 100 };
    const state = sessionStateOf([
      question,
      asking('a'),
      settled('a'),
      { type: 'step.finished', runId, step: 1, usage },
    ]);
    expect(state.measured).toEqual({ messages: 2, tokens: 100 });
  });
});

describe('actions of a run', () => {
  const parked = [started, question, asking('a', 'b'), required('a'), required('b')];

  it('are pending until they are answered', () => {
    const all = sessionStateOf([...parked, { type: 'run.parked', runId, seq: 9 }]);
    expect(all.run).toMatchObject({ status: 'requires_action', seq: 9 });
    expect(pendingActionsOf(all).map(({ callId }) => callId)).toEqual(['a', 'b']);
    const one = applyEntry(all, answered('a', { type: 'approve' }));
    expect(pendingActionsOf(one).map(({ callId }) => callId)).toEqual(['b']);
    expect(one.actions[0]).toMatchObject({ answer: { type: 'approve' }, settled: false });
    expect(applyEntry(one, { type: 'run.resumed', runId }).run).toMatchObject({
      status: 'running',
    });
  });

  it('stay known after their call was settled, so that a second answer can be told from a wrong one', () => {
    const state = sessionStateOf([...parked, settled('b')]);
    expect(pendingActionsOf(state).map(({ callId }) => callId)).toEqual(['a']);
    expect(state.actions[1]).toMatchObject({ settled: true });
    expect(applyEntry(state, { ...started, runId: 'run-2' }).actions).toEqual([]);
  });

  it('give the call its edited input, in the history and in the run as well', () => {
    const edited = { type: 'approve', input: { id: 'other' } } as const;
    const state = sessionStateOf([...parked, answered('b', edited)]);
    expect(state.openCalls[1]?.call.input).toEqual({ id: 'other' });
    expect(toolUsesOf(state.messages[1] ?? { content: [] })[1]?.input).toEqual({ id: 'other' });
    expect(state.run?.calls[1]?.input).toEqual({ id: 'other' });
    expect(state.run?.calls[0]?.input).toEqual({ id: 'a' });
  });
});

describe('a run’s state', () => {
  it('adds up its steps and ends as its last entry says', () => {
    const usage = { inputTokens: 3, outputTokens: 2, totalTokens: 5 };
    const state = sessionStateOf([
      started,
      question,
      asking('a'),
      settled('a'),
      { type: 'step.finished', runId, step: 1, usage },
      { type: 'step.finished', runId, step: 2, usage },
    ]);
    expect(state.run).toMatchObject({
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
      seq: 12,
    });
    expect(finished.run).toMatchObject({ status: 'failed', stopReason: 'error', seq: 12, usage });
  });

  it('can be told of an earlier run', () => {
    fc.assert(
      fc.property(journals, (journal) => {
        const { run } = sessionStateOf(journal);
        expect(runStateOf([...journal, { ...started, runId: 'later' }], run?.runId ?? '')).toEqual(
          run,
        );
      }),
    );
    expect(runStateOf([question], runId)).toBeUndefined();
  });
});

describe('a checkpoint', () => {
  const summary = textMessage('system', 'Summary');
  const compacted: SessionEntry = {
    type: 'compacted',
    runId,
    summary,
    tokensBefore: 9,
    tokensAfter: 2,
    messages: 2,
    state: { ...EMPTY_SESSION, messages: [summary], rememberedTools: ['deploy'] },
  };

  it('is all there is before what follows it', () => {
    const state = sessionStateOf([started, question, compacted, question]);
    expect(state.messages).toEqual([summary, question.type === 'message' && question.message]);
    expect(state.rememberedTools).toEqual(['deploy']);
    expect(sessionStateOf([compacted, question])).toEqual(state);
  });

  it('does not shorten the transcript', () => {
    expect(transcriptOf([question, compacted, question])).toHaveLength(2);
    expect(transcriptOf([compacted, question])).toHaveLength(2);
  });
});
