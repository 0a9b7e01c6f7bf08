import type { Tagged } from '../../internal';
import type { PendingAction } from '../../message';
import type { ChatAction, ChatInput, UserContent } from '../../run';
import type { TranscriptMessage } from '../../session';
import { textAt } from '../body';
import type { Thread } from '../threads';
import { contentAt, resultAt } from './ag-ui-content';
import type { AgUiInput, SentMessage } from './ag-ui-input';
import { questionId } from './ids';
import { openActions } from './interrupts';

/** The message of the user that begins a run. */
export type Said = Pick<ChatInput, 'content' | 'messageId' | 'replaceRun'>;

/** The handling of one request. */
export type AgUiPlan = Tagged<Plans>;

interface Plans {
  /** Answers pending actions; a message then starts a run. */
  resume: { actions: readonly ChatAction[]; said?: Said };
  start: { said: Said };
  /** Approvals still wait, and a message waits for them. */
  interrupt: object;
  /** Shows the stored messages; there is nothing else to do. */
  show: object;
}

/**
 * @param run the session's last run
 * @param stored the session's messages
 */
export function planOf(
  input: AgUiInput,
  run: Thread['run'],
  stored: readonly TranscriptMessage[],
): AgUiPlan {
  const pending = run?.pendingActions ?? [];
  const verdicts = verdictsOf(input, pending);
  const results = resultsOf(input, pending);
  const asked = askedRuns(stored);
  const said = newlySaid(input, asked);
  const isAbandoned = results.length === 0 && verdicts.every(({ isCancelled }) => isCancelled);
  const actions = [...verdicts.map(({ action }) => action), ...results];
  if (actions.length > 0 && !(said && isAbandoned)) {
    return { type: 'resume', actions, ...(said && { said }) };
  }
  if (verdicts.length === 0 && openActions('approval', pending).length > 0)
    return { type: 'interrupt' };
  if (said) return { type: 'start', said };
  const again = repeated(input, asked);
  return again ? { type: 'start', said: again } : { type: 'show' };
}

interface Verdict {
  readonly action: ChatAction;
  readonly isCancelled: boolean;
}

function verdictsOf({ resume }: AgUiInput, pending: readonly PendingAction[]): readonly Verdict[] {
  return resume.flatMap(({ interruptId: callId, isCancelled, verdict }) => {
    const isAsked = pending.some((each) => each.type === 'approval' && each.callId === callId);
    return isAsked ? [{ action: { callId, ...verdict }, isCancelled }] : [];
  });
}

function resultsOf(
  { results }: AgUiInput,
  pending: readonly PendingAction[],
): readonly ChatAction[] {
  return pending.flatMap(({ type, callId }): readonly ChatAction[] => {
    const sent = type === 'frontend' ? results.get(callId) : undefined;
    if (sent === undefined) return [];
    const { message, at } = sent;
    const error = textAt(message['error'], `${at}/error`);
    if (error !== undefined && error !== '') return [{ callId, type: 'result', error }];
    return [{ callId, type: 'result', result: resultAt(message['content'], `${at}/content`) }];
  });
}

/** The runs of the stored messages of the user, by their ids. */
function askedRuns(stored: readonly TranscriptMessage[]): ReadonlyMap<unknown, string> {
  return new Map(
    stored.flatMap((message) => {
      const { runId, role, content } = message;
      const isQuestion = role === 'user' && content.every(({ type }) => type !== 'tool_result');
      return isQuestion && runId !== undefined ? [[questionId(message), runId]] : [];
    }),
  );
}

/** The messages at the end of the list that are not stored yet. */
function newlySaid({ trailing }: AgUiInput, asked: ReadonlyMap<unknown, string>): Said | undefined {
  const last = trailing.at(-1);
  if (last === undefined || asked.has(idOf(last.message))) return undefined;
  // Messages before a stored one were sent with it: of several, only the last is named.
  const known = trailing.findLastIndex(({ message }) => asked.has(idOf(message)));
  return saidBy(trailing.slice(known + 1));
}

/**
 * A stored message at the end of the list asks for another answer, in place of the first one. Several
 * messages that were one have only the name of the last.
 */
function repeated(
  { trailing, endsWithUser, resume }: AgUiInput,
  asked: ReadonlyMap<unknown, string>,
): Said | undefined {
  const last = trailing.at(-1);
  const replaceRun = last && asked.get(idOf(last.message));
  if (replaceRun === undefined || !endsWithUser || resume.length > 0) return undefined;
  const same = trailing.filter(
    ({ message }) => (asked.get(idOf(message)) ?? replaceRun) === replaceRun,
  );
  return { ...saidBy(same), replaceRun };
}

/** Several messages in a row are one; the last one names it. */
function saidBy(messages: readonly SentMessage[]): Said {
  const content = messages.flatMap(({ message, at }): readonly UserContent[] =>
    contentAt(message['content'], `${at}/content`),
  );
  const messageId = idOf(messages.at(-1)?.message);
  return { content, ...(typeof messageId === 'string' && messageId !== '' && { messageId }) };
}

function idOf(message: SentMessage['message'] | undefined): unknown {
  return message?.['id'];
}
