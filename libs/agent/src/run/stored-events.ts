import { textOf, toolUsesOf, type AgentEvent, type AgentEventBody } from '../message';
import { applyEntry, EMPTY_SESSION, pendingActionsOf, type SessionEntry } from '../session';

/**
 * A run's events as its journal tells them: whole messages instead of fragments, in the order they
 * were stored. They end as the run did; of a run that was cut off, with what is known.
 */
export async function* storedEvents(
  entries: readonly SessionEntry[],
  runId: string,
  sessionId: string,
  after = 0,
): AsyncGenerator<AgentEvent, void, undefined> {
  let seq = 0;
  let state = EMPTY_SESSION;
  await Promise.resolve();
  for (const entry of entries) {
    state = applyEntry(state, entry);
    if (!('runId' in entry) || entry.runId !== runId) continue;
    for (const body of bodiesOf(entry, state, sessionId)) {
      seq += 1;
      if (seq > after) yield { ...body, runId, seq };
    }
  }
}

function bodiesOf(
  entry: SessionEntry,
  state: typeof EMPTY_SESSION,
  sessionId: string,
): readonly AgentEventBody[] {
  switch (entry.type) {
    case 'run.started':
      return [{ type: 'run.started', sessionId, model: entry.model ?? 'default' }];
    case 'message':
      return entry.message.role === 'assistant' ? messageBodies(entry) : [];
    case 'call.settled': {
      const { result, durationMs } = entry;
      const call = state.run?.calls.find(({ id }) => id === result.tool_use_id);
      return [
        {
          type: 'tool.result',
          callId: result.tool_use_id,
          name: call?.name ?? '',
          output: result.content,
          isError: result.is_error,
          durationMs,
        },
      ];
    }
    case 'step.finished':
      return [
        { type: 'step.finished', step: entry.step, usage: entry.usage, finishReason: 'end_turn' },
      ];
    case 'action.required': {
      const { type, callId, name, input, expiresAt } = entry.action;
      return type === 'approval'
        ? [{ type: 'approval.required', callId, name, input, reason: '', expiresAt }]
        : [{ type: 'frontend.call', callId, name, input, expiresAt }];
    }
    case 'run.parked':
      return [
        {
          type: 'run.finished',
          status: 'requires_action',
          stopReason: 'requires_action',
          message: '',
          usage: state.run?.usage ?? { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
          pendingActions: pendingActionsOf(state),
        },
      ];
    case 'run.finished': {
      const { type, status, stopReason, message, usage } = entry;
      return [{ type, status, stopReason, message, usage, pendingActions: [] }];
    }
    case 'compacted': {
      const { tokensBefore, tokensAfter, messages } = entry;
      return [{ type: 'compaction', tokensBefore, tokensAfter, messages }];
    }
    case 'call.started':
    case 'action.answered':
    case 'run.resumed':
    case 'groups.changed':
    case 'permission.remembered':
    case 'permission.revoked':
      return [];
  }
}

function messageBodies({
  message,
}: Extract<SessionEntry, { type: 'message' }>): readonly AgentEventBody[] {
  const text = textOf(message);
  return [
    ...(text === '' ? [] : [{ type: 'text.delta', delta: text } as const]),
    ...toolUsesOf(message).map(
      ({ id, name, input }) =>
        ({ type: 'tool.call', callId: id, name, kind: 'function', input }) as const,
    ),
  ];
}
