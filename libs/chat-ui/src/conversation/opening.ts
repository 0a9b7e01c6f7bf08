import { turnsOf } from '../state';
import { isStatus, type RunSnapshot, type StoredMessage } from '../wire';
import { problemOf } from './problem-of';
import type { RunLine } from './run.line';

interface Stored {
  readonly messages: readonly StoredMessage[];
  readonly run?: RunSnapshot;
}

const OPEN: readonly RunSnapshot['status'][] = ['queued', 'running', 'requires_action'];

/** Opens and leaves sessions. */
export class Opening {
  /** Resolves when the session that was opened last is shown. */
  shown: Promise<void> = Promise.resolve();

  constructor(
    private readonly line: RunLine,
    /** Sends the message that was written while the session was loaded. */
    private readonly submit: () => Promise<void>,
  ) {}

  /** Leaves the conversation; the server's session stays. */
  reset(): void {
    this.leaveFor(undefined);
  }

  /** Shows a stored session, and follows its last run unless that is complete. */
  open(sessionId: string, runId?: string): Promise<void> {
    this.leaveFor(sessionId, runId);
    this.shown = this.load(sessionId, runId);
    return this.shown;
  }

  /** Loads or follows again after a log-in, a lost connection, or a time off the page. */
  async goOn(): Promise<void> {
    const { line } = this;
    const { unopened, isLoading } = line.state;
    if (unopened && !isLoading) return this.open(unopened.sessionId, unopened.runId);
    if (!line.isInterrupted) return;
    line.store.update({ problem: undefined });
    await line.pickUp();
  }

  private leaveFor(sessionId: string | undefined, runId?: string): void {
    this.line.hangUp();
    this.line.calls.forget();
    this.line.store.update({
      turns: [],
      sessionId,
      problem: undefined,
      connection: 'idle',
      isLoading: sessionId !== undefined,
      unopened: sessionId === undefined ? undefined : { sessionId, runId },
      isSendQueued: false,
    });
    this.line.options.onSession(sessionId, runId);
  }

  private async load(sessionId: string, runId: string | undefined): Promise<void> {
    const { signal, store } = this.line;
    const loaded = { isLoading: false, isSendQueued: false };
    try {
      const { run, messages } = await this.stored(sessionId, runId);
      if (signal.aborted) return;
      const { isSendQueued } = store.state;
      store.update({ ...loaded, unopened: undefined, turns: turnsOf(messages) });
      if (run) await this.line.rejoin(run);
      if (isSendQueued && !isOpen(run)) await this.submit();
    } catch (error) {
      if (signal.aborted) return;
      if (!isStatus(error, 404)) {
        store.update({ ...loaded, problem: problemOf(error, store.state.texts) });
        return;
      }
      this.reset();
      const message = store.state.texts.problems.sessionGone;
      store.update({ problem: { code: 'session_not_found', message } });
    }
  }

  /**
   * The messages, and the last run unless it is complete: the reason of a failure or a stop is only in its
   * events. A known run is requested before the messages.
   */
  private async stored(sessionId: string, runId: string | undefined): Promise<Stored> {
    const { api } = this.line;
    const run = runId === undefined ? undefined : await api.runIfAny({ runId, sessionId });
    const messages = await api.messages(sessionId);
    if (isOpen(run)) return { run, messages };
    // Another tab or device may have begun a later run than the one that this one knows of.
    const last = messages.findLast((message) => message.runId !== undefined)?.runId;
    if (last === undefined) return { messages };
    const isKnown = last === runId;
    const later = isKnown ? run : await api.runIfAny({ runId: last, sessionId });
    if (later && later.status !== 'completed') return { run: later, messages };
    // It may have ended after its messages were read.
    const isRead = isKnown || later === undefined || endsWithAnswerOf(later, messages);
    return isRead ? { messages } : this.stored(sessionId, last);
  }
}

function isOpen(run: RunSnapshot | undefined): run is RunSnapshot {
  return run !== undefined && OPEN.includes(run.status);
}

function endsWithAnswerOf({ message }: RunSnapshot, messages: readonly StoredMessage[]): boolean {
  const last = messages.at(-1);
  if (last?.role !== 'assistant' || last.content.some(({ type }) => type === 'tool_use'))
    return false;
  return (
    last.content.map((block) => (block.type === 'text' ? block.text : '')).join('') === message
  );
}
