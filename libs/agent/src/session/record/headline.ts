import { firstChars } from '../../internal';
import { textOf, type RunStatus } from '../../message';
import { isOfWorkers } from './entries';
import type { SessionState } from './session-state';

/**
 * A session's data for lists. It is derived from the journal, and the writer stores it with every
 * append, so that lists need no journals.
 */
export interface SessionHeadline {
  /** The beginning of its owner's first message. */
  readonly title?: string;
  /** Its last run; missing if there was none. */
  readonly run?: {
    /** Its id. */
    readonly runId: string;
    /**
     * The status as its writer left it. A `running` run in a session that is not held is dead, unless
     * workers execute it.
     */
    readonly status: RunStatus;
    /** Whether workers execute it. */
    readonly isQueued?: true;
  };
  /** The names of the tools allowed for the rest of the session. */
  readonly permissions: readonly string[];
}

const TITLE_CHARS = 80;

/** @param before the previous headline: the first message may no longer be stored */
export function headlineOf(state: SessionState, before?: SessionHeadline): SessionHeadline {
  const title = before?.title ?? titleOf(state);
  const { run, rememberedTools } = state;
  return {
    ...(title !== undefined && { title }),
    ...(run && {
      run: {
        runId: run.runId,
        status: run.status,
        ...(isOfWorkers(run) && { isQueued: true as const }),
      },
    }),
    permissions: rememberedTools.map(({ name }) => name),
  };
}

function titleOf({ messages }: SessionState): string | undefined {
  const first = messages.find((message) => message.role === 'user' && textOf(message) !== '');
  const line = first === undefined ? '' : textOf(first).replace(/\s+/g, ' ').trim();
  if (line === '') return undefined;
  return line.length <= TITLE_CHARS ? line : `${firstChars(line, TITLE_CHARS - 1).trimEnd()}…`;
}
