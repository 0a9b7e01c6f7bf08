import { type PendingAction, resultText } from '../../message';
import type { ChatAction, ChatOptions, ChatResult, ResumeOptions } from '../../run';
import type { EvaluatedAgent, EvalTurn, MadeCall, TurnResult } from '../cases';
import { shownCall } from './call-problems';
import type { Judge } from './judgement';

/** The part of a tool's error that is kept. */
const ERROR_CHARS = 300;

/** Where a turn takes place. */
interface TurnPlace {
  readonly agent: EvaluatedAgent;
  readonly judge: Judge;
  readonly caller: ChatOptions;
  readonly model?: string;
  /** The conversation so far; a new one by default. */
  readonly sessionId?: string;
}

/**
 * Sends a turn's message, answers approvals as the turn says, and compares what happened. A run that
 * still waits at the end is cancelled, so that its calls cannot be approved later.
 *
 * @throws Error if the run failed or was cancelled by others
 */
export async function takeTurn(turn: EvalTurn, place: TurnPlace): Promise<TurnResult> {
  const { agent, judge, caller, model, sessionId } = place;
  const { message } = turn;
  const asked = new Map<string, PendingAction>();
  const input = { message, ...(sessionId && { sessionId }), ...(model && { model }) };
  let result = await agent.chat(input, caller);
  let unapproved: readonly string[] = [];
  while (result.status === 'requires_action') {
    for (const action of result.pendingActions) asked.set(action.callId, action);
    const claim: ResumeOptions = { ...caller, sessionId: result.sessionId };
    const { pendingActions: pending, usage } = result;
    const found = { calls: pending.map(madeOf), answer: '', usage };
    const { expected } = await judge(turn, found);
    const answers = answersTo(turn, pending, expected);
    if (answers === undefined) {
      unapproved = unexpectedOf(turn, pending, expected);
      await agent.cancel(result.runId, claim);
      break;
    }
    result = await agent.resolve(result.runId, answers, claim);
  }
  if (result.status === 'failed') throw new Error(result.error?.message ?? 'The run failed.');
  if (result.status === 'cancelled') throw new Error('The run was cancelled.');
  const calls = madeCalls(result, asked);
  const { message: answer, status, stopReason, runId, usage } = result;
  const found = { calls, answer, usage };
  const judgement = await judge(turn, { ...found, ...(stopReason && { stopReason }) });
  const problems = [...judgement.problems, ...unapproved];
  return { message, status, sessionId: result.sessionId, runId, ...found, problems };
}

/** The answers to all that a run waits for; `undefined` where one of them must not be given. */
function answersTo(
  turn: EvalTurn,
  pending: readonly PendingAction[],
  expected: readonly boolean[],
): readonly ChatAction[] | undefined {
  const { approvals = 'stop' } = turn;
  if (approvals === 'stop' || pending.some(({ type }) => type !== 'approval')) return undefined;
  if (approvals === 'reject') return pending.map(({ callId }) => ({ callId, type: 'reject' }));
  // A model may call anything: only expected calls are approved.
  if (expected.includes(false)) return undefined;
  return pending.map(({ callId }) => ({ callId, type: 'approve' }));
}

function unexpectedOf(
  turn: EvalTurn,
  pending: readonly PendingAction[],
  expected: readonly boolean[],
): readonly string[] {
  if (turn.approvals !== 'approve') return [];
  return pending
    .filter(({ type }, index) => type === 'approval' && expected[index] === false)
    .map((action) => `${shownCall(action)} was not approved, for "calls" does not expect it`);
}

/** The run's own calls in order, then those of asked agents that asked for approval. */
function madeCalls(
  { toolCalls }: ChatResult,
  asked: ReadonlyMap<string, PendingAction>,
): readonly MadeCall[] {
  const own = new Set(toolCalls.map(({ id }) => id));
  return [
    ...toolCalls.map(({ id, name, input, output = '', isError }) => ({
      name,
      input,
      asked: asked.has(id),
      ...(isError && { error: resultText(output).slice(0, ERROR_CHARS) }),
    })),
    ...[...asked.values()].filter(({ callId }) => !own.has(callId)).map(madeOf),
  ];
}

function madeOf({ name, input, agent }: PendingAction): MadeCall {
  return { name, input, asked: true, ...(agent !== undefined && { agent }) };
}
