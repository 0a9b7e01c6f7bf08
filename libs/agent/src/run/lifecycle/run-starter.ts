import { defined } from '../../internal';
import { textMessage, type Message } from '../../message';
import type { ChatModel } from '../../model';
import { SessionExistsError, type NewSession, type SessionEntry } from '../../session';
import { checkToolChoice, type LoopServices } from '../loop';
import { promptFor, type RunContext } from '../context';
import type { StoredJournal } from '../record';
import {
  type ChatInput,
  checkedMessage,
  checkInput,
  newRunId,
  notSeen,
  readable,
  type RunHandle,
  type StartOptions,
} from '../request';
import type { ActiveRuns, RunLauncher, RunSetup, SessionAccess, SessionWriter } from '../execution';
import { settleLastRun } from './recovery';
import type { Rewinding } from './rewinding';
import type { PassedRun, RunEnqueuer } from './run-enqueuer';

/** The beginning of a run. */
interface Opening {
  readonly input: ChatInput;
  readonly said: Message;
  readonly model: ChatModel;
  /** Written together with the new run's first entry. */
  readonly rewound: readonly SessionEntry[];
  /** Set if a worker executes the run. */
  readonly passed?: PassedRun;
}

/** A session to create, or a stored one. */
type OpenedSession = NewSession & { readonly isNew: boolean };

/** Starts runs: checks the input, locks the session, settles its unfinished last run. */
export class RunStarter {
  constructor(
    private readonly services: LoopServices,
    private readonly sessions: SessionAccess,
    private readonly writer: SessionWriter,
    private readonly launcher: RunLauncher,
    private readonly active: ActiveRuns,
    private readonly rewinding: Rewinding,
    private readonly enqueuer: RunEnqueuer,
  ) {}

  async start(input: ChatInput, options: StartOptions): Promise<RunHandle> {
    const { options: limits, quotas, catalog } = this.services;
    checkInput(input, limits);
    const said = checkedMessage(input, limits);
    const model = this.services.models.named(input.model);
    const tools = this.services.clientTools.ofPage(input.frontendTools, options.tools);
    await quotas.check(options.principal);
    const isQueued = this.enqueuer.accepts(options);
    return this.active.admitted(options.principal, limits.runsPerPrincipal, async (leave) => {
      if (isQueued) await this.enqueuer.admit();
      const session = await this.sessionOf(input, options);
      const runId = newRunId();
      const passed = isQueued && (await this.passed(runId, session, input, options));
      const isSure = !isQueued && this.isSure(input);
      const first = isSure ? openingEntries(runId, model, input, said) : [];
      return this.inSession(session, runId, first, (journal) => {
        const setup = { options, journal, tools, leave };
        return this.launcher.prepared(setup, async (run) => {
          await checkToolChoice(run, { catalog, model }, input.toolChoice);
          // Before the last run is settled: a refused request must have no effect.
          const rewound = await this.rewound(journal, input.replaceRun);
          const opening = { input, said, model, rewound, ...(passed && { passed }) };
          return this.begin(run, journal, opening, options);
        });
      });
    });
  }

  /** Whether nothing can refuse a run in a new session: then it begins with the session. */
  private isSure({ replaceRun, toolChoice }: ChatInput): boolean {
    const isPrompted = typeof this.services.options.systemPrompt === 'string';
    return isPrompted && replaceRun === undefined && toolChoice === undefined;
  }

  private passed(
    runId: string,
    { id: sessionId, owner }: OpenedSession,
    { toolChoice, frontendTools }: ChatInput,
    options: StartOptions,
  ): Promise<PassedRun> {
    const run = { runId, sessionId, ...defined({ principal: owner }) };
    return this.enqueuer.passed(run, options, { toolChoice, frontendTools });
  }

  /** Starts the run of an agent that was asked, in the session for it. */
  startAsked(
    setup: RunSetup & { readonly journal: StoredJournal },
    message: string,
  ): Promise<RunHandle> {
    return this.launcher.prepared(setup, (run) => {
      const model = this.services.models.named(undefined);
      const said = textMessage('user', message);
      const opening = { input: {}, said, model, rewound: [] };
      return this.begin(run, setup.journal, opening, setup.options);
    });
  }

  /** As `startAsked`, for a stateless run. */
  startStateless(
    runId: string,
    setup: Omit<RunSetup, 'journal'>,
    message: string,
  ): Promise<RunHandle> {
    const model = this.services.models.named(undefined);
    return this.launcher.stateless(runId, setup, [textMessage('user', message)], { model });
  }

  private async begin(
    run: RunContext,
    journal: StoredJournal,
    { input, said, model, rewound, passed }: Opening,
    options: StartOptions,
  ): Promise<RunHandle> {
    const isBegun = journal.state.run?.runId === run.runId;
    if (!isBegun) await settleLastRun(run, this.services, journal.draft);
    const opening = isBegun ? [] : openingEntries(run.runId, model, input, said);
    const entries = [...rewound, ...opening];
    if (passed) {
      return this.enqueuer.enqueue(run, passed, options, async (queued, as) => {
        await journal.close([...entries, queued], run.release, as);
        if (rewound.length > 0) await run.asking.forget(run);
      });
    }
    const systemPrompt = await promptFor(run, this.services.options.systemPrompt);
    await journal.append(...entries);
    if (rewound.length > 0) await run.asking.forget(run);
    const { environmentContext, toolChoice, modelOptions: settings } = input;
    const asked = { environmentContext, toolChoice, settings };
    return this.launcher.launch(run, { model, systemPrompt, ...asked });
  }

  /**
   * Written together with the new run's first entry, so that a run is only ever replaced by another.
   */
  private async rewound(
    { record, state }: StoredJournal,
    replaceRun: string | undefined,
  ): Promise<readonly SessionEntry[]> {
    if (replaceRun === undefined) return [];
    return [await this.rewinding.entryFor(record, state, replaceRun)];
  }

  /** The caller's session, or a new one. */
  private async sessionOf(
    { sessionId }: ChatInput,
    { principal }: StartOptions,
  ): Promise<OpenedSession> {
    if (sessionId === undefined) return { ...this.sessions.newSession(principal), isNew: true };
    return { ...(await this.sessions.find(sessionId, principal)), isNew: false };
  }

  /**
   * Locks a session for `use`. A new one is created, and removed if `use` fails.
   *
   * @param first the first entries of a new session
   */
  private async inSession<T>(
    { isNew, ...session }: OpenedSession,
    runId: string,
    first: readonly SessionEntry[],
    use: (journal: StoredJournal) => Promise<T>,
  ): Promise<T> {
    if (!isNew) return use(await this.writer.takeForRun(session, runId));
    try {
      return await use(await this.writer.createForRun(session, runId, first));
    } catch (error) {
      // Even if only the store's answer was lost: the session may be stored and locked.
      if (!(error instanceof SessionExistsError)) await this.sessions.discard(session);
      throw error;
    }
  }
}

function openingEntries(
  runId: string,
  { name, capabilities }: ChatModel,
  { model, environmentContext, messageId, modelOptions }: ChatInput,
  message: Message,
): readonly SessionEntry[] {
  const isSeen = readable(message.content, capabilities) === message.content;
  return [
    {
      type: 'run.started',
      ...defined({ runId, model, modelName: name, environmentContext, modelOptions }),
      startedAt: new Date().toISOString(),
    },
    { type: 'message', runId, ...(messageId !== undefined && { id: messageId }), message },
    ...(isSeen ? [] : [notSeen(runId, name)]),
  ];
}
