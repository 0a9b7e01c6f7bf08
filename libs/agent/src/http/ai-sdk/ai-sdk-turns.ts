import type { Tagged } from '../../internal';
import { textOf } from '../../message';
import type { ChatAction, ChatInput, SessionClaim, SessionService } from '../../run';
import { isGeneratedId, SessionNotFoundError, type TranscriptMessage } from '../../session';
import { isId } from '../caller';
import { requestError } from '../errors';
import type { ClientThreads, Thread } from '../threads';
import type { AiSdkRequest } from './ai-sdk-request';
import { runNamedBy } from './message-ids';
import { actionsOf } from './sent-answers';
import type { SentAnswer, SentQuestion } from './sent-parts';

/** The handling of a request, in the session on the server. */
export type AiSdkTurn = Tagged<Turns>;

interface Turns {
  start: { input: ChatInput };
  resume: {
    sessionId: string;
    runId: string;
    actions: readonly ChatAction[];
    /** The client's id of the message that goes on. */
    messageId: string;
    /** The pending calls of frontend tools. */
    frontendCalls: readonly string[];
  };
  /** The question is already stored, so its answer is sent again. */
  replay: { sessionId: string; runId: string };
}

/** Plans each request: its list of messages is a pointer into the stored session. */
export class AiSdkTurns {
  constructor(
    private readonly threads: ClientThreads,
    private readonly sessions: SessionService,
  ) {}

  /**
   * @throws SessionNotFoundError for a conversation that this caller does not have
   * @throws HttpException 409 `not_pending` for answers to nothing that is pending
   */
  async of(request: AiSdkRequest, caller: SessionClaim): Promise<AiSdkTurn> {
    const thread = await this.threadOf(request, caller.principal);
    const { turn } = request;
    return turn.type === 'answer'
      ? resumed(turn.answer, thread)
      : this.asked(turn.questions, request, { thread, caller });
  }

  private async threadOf(
    { chatId, namedSession, hasAnswer }: AiSdkRequest,
    principal: string | undefined,
  ): Promise<Thread> {
    const own = await this.threads.find(chatId, principal);
    if (own !== undefined) return own;
    if (!hasAnswer) return this.threads.begin(chatId, principal);
    // Anonymous callers get the id of their session in the metadata of its answers.
    const isNamed = principal === undefined && namedSession !== undefined && isId(namedSession);
    const named = isNamed ? await this.threads.find(namedSession, principal) : undefined;
    if (named === undefined) throw new SessionNotFoundError();
    return named;
  }

  private async asked(
    questions: readonly SentQuestion[],
    { again, tools, environmentContext }: AiSdkRequest,
    { thread, caller }: { thread: Thread; caller: SessionClaim },
  ): Promise<AiSdkTurn> {
    const { sessionId, run } = thread;
    const transcript = run ? await this.sessions.transcript(sessionId, caller) : [];
    const replaceRun = again && runToReplace(again.messageId, questions.at(-1), transcript);
    const stored = questions.map((question) => runOf(question, transcript));
    const from = replaceRun === undefined ? stored.findLastIndex(Boolean) + 1 : -1;
    const said = questions.slice(from);
    const last = said.at(-1);
    const answered = stored.at(-1);
    if (last === undefined && answered !== undefined) {
      return { type: 'replay', sessionId, runId: answered };
    }
    const input: ChatInput = {
      sessionId,
      content: said.flatMap(({ content }) => content),
      frontendTools: tools.definitions,
      environmentContext,
      ...(last?.id !== undefined && { messageId: last.id }),
      ...(replaceRun !== undefined && { replaceRun }),
    };
    return { type: 'start', input };
  }
}

function resumed(answer: SentAnswer, { sessionId, run }: Thread): AiSdkTurn {
  const claimed = answer.runId ?? runNamedBy(answer.id);
  const isOfRun = claimed === undefined || claimed === run?.runId;
  const pending = (isOfRun && run?.pendingActions) || [];
  const actions = actionsOf(answer, pending);
  if (run === undefined || actions.length === 0) {
    throw requestError(409, 'not_pending', 'No call of this message waits for an answer.');
  }
  const frontendCalls = pending.flatMap(({ type, callId }) =>
    type === 'frontend' ? [callId] : [],
  );
  return {
    type: 'resume',
    sessionId,
    runId: run.runId,
    actions,
    messageId: answer.id,
    frontendCalls,
  };
}

/**
 * The run that another answer replaces: of the named message, or of the last question. A message
 * that is not stored replaces nothing.
 */
function runToReplace(
  messageId: string | undefined,
  question: SentQuestion | undefined,
  transcript: readonly TranscriptMessage[],
): string | undefined {
  for (const id of [messageId, question?.id]) {
    if (id === undefined) continue;
    const asked = transcript.find((message) => message.role === 'user' && hasId(message, id));
    const runId = asked?.runId ?? runNamedBy(id);
    if (runId !== undefined && transcript.some((message) => message.runId === runId)) return runId;
  }
  return undefined;
}

/** The run of a question that is stored already; its id alone may be used twice by the client. */
function runOf(
  { id, content }: SentQuestion,
  transcript: readonly TranscriptMessage[],
): string | undefined {
  if (id === undefined) return undefined;
  const named = runNamedBy(id);
  const text = textOf({ content });
  return transcript.find(
    (message) =>
      message.role === 'user' &&
      (hasId(message, id) || (named !== undefined && message.runId === named)) &&
      message.content.some(({ type }) => type !== 'tool_result') &&
      textOf(message) === text,
  )?.runId;
}

/** A generated id names a message for no client. */
function hasId(message: TranscriptMessage, id: string): boolean {
  return message.id === id && !isGeneratedId(id);
}
