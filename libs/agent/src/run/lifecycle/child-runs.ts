import { createHash } from 'node:crypto';
import { defined } from '../../internal';
import type { AgentTools, PermissionRules } from '../../invocation';
import {
  type RunRecord,
  SessionBusyError,
  SessionExistsError,
  type SessionRecord,
  type SessionStore,
} from '../../session';
import type { ToolContext, ToolTraits } from '../../tool';
import type { AgentDirectory, AskedAgent, Question } from '../asking';
import type { AskedBy, RunContext } from '../context';
import type { LoopServices } from '../loop';
import {
  type AskableAgent,
  type AskedGuards,
  type ChatAction,
  type ChatResult,
  storedResult,
  toolsOf,
} from '../request';
import type { StoredJournal } from '../record';
import { settleLastRun } from './recovery';
import type { ActiveRuns, RunLauncher, RunSetup, SessionWriter } from '../execution';
import { type Elsewhere, isExecuted, type RunReader, type WaitingRunCanceller } from '../lookup';
import type { RunResumer } from './run-resumer';
import type { RunStarter } from './run-starter';

/** The maximum of attempts if a session is neither found nor can be created. */
const MOST_TRIES = 3;

/**
 * The runs of an agent that other agents ask. Each is bound to a call of the asking run: its id is
 * derived from the call, and its session belongs to the asking run's session.
 */
export class ChildRuns implements AskedAgent {
  constructor(
    private readonly services: LoopServices,
    private readonly store: SessionStore,
    private readonly guards: AskedGuards,
    private readonly directory: AgentDirectory,
    private readonly tools: AgentTools,
    private readonly rules: PermissionRules,
    private readonly writer: SessionWriter,
    private readonly launcher: RunLauncher,
    private readonly starter: RunStarter,
    private readonly resumer: RunResumer,
    private readonly reader: RunReader,
    private readonly canceller: WaitingRunCanceller,
    private readonly active: ActiveRuns,
    private readonly elsewhere: Elsewhere,
  ) {}

  get name(): string {
    return this.services.options.name;
  }

  get description(): string {
    return this.services.options.description;
  }

  get asks(): readonly AskableAgent[] {
    return this.services.options.agents;
  }

  get effects(): Pick<ToolTraits, 'readOnly' | 'concurrencySafe' | 'openWorld'> {
    const usable = this.tools.tools().filter((tool) => !this.rules.isDeniedToAll(tool));
    const all = [
      ...usable.map(({ traits }) => traits),
      ...this.asks.flatMap(({ name }) => this.directory.find(name)?.effects ?? []),
    ];
    return {
      readOnly: all.every(({ readOnly }) => readOnly),
      concurrencySafe: all.every(({ concurrencySafe }) => concurrencySafe),
      openWorld: all.some(({ openWorld }) => openWorld),
    };
  }

  async askGuards(context: ToolContext): Promise<void> {
    await this.guards.ask?.(context);
  }

  async proceed({ by, message }: Question): Promise<ChatResult> {
    if (by.run.sessionId === undefined) return this.answerStateless(by, message);
    const found = await this.find(by);
    if (found === undefined) return this.begin(by, message);
    const result = await this.resultOf(found, by);
    // A worker that died before the asking run waited leaves actions pending.
    if (result.status !== 'requires_action' || result.pendingActions.length > 0) return result;
    const { finished } = await this.resumer.resumeAsked(await this.setupOf(found, by));
    return finished;
  }

  async check(by: AskedBy, answers: readonly ChatAction[]): Promise<void> {
    const found = await this.find(by);
    if (found) await this.resumer.check(await this.setupOf(found, by), answers);
  }

  async accept(by: AskedBy, answers: readonly ChatAction[]): Promise<void> {
    const found = await this.find(by);
    if (found) await this.resumer.accept(await this.setupOf(found, by), answers);
  }

  async forget(parent: string): Promise<void> {
    for (let index = 0; ; index += 1) {
      const found = await this.store.find(childSessionId(parent, this.name, index));
      if (found === undefined) return;
      if (found.parent === parent) await this.store.delete(found.id);
    }
  }

  async conclude(by: AskedBy): Promise<ChatResult | undefined> {
    const found = by.run.sessionId === undefined ? undefined : await this.stopped(by);
    if (found === undefined) return undefined;
    const { status } = await this.resultOf(found, by);
    if (status === 'requires_action') {
      await this.canceller.cancel(found, childRunId(by.run.runId, by.callId), by);
    } else if (!found.isHeld) {
      await this.settle(found, by);
    }
    return this.resultOf(found, by);
  }

  /** The run, once no process executes it: the lease of a dead one may outlive that of the asking run. */
  private async stopped(by: AskedBy): Promise<RunRecord | undefined> {
    const runId = childRunId(by.run.runId, by.callId);
    await this.active.stop(runId, 'cancelled');
    const found = await this.find(by);
    if (found === undefined || !isExecuted(found, runId)) return found;
    return (await this.elsewhere.stop(found, runId))?.record;
  }

  /** Starts the run in the first session where no other call of this run waits. */
  private async begin(by: AskedBy, message: string): Promise<ChatResult> {
    const { runId, journal } = by.run;
    const waiting = new Set(journal.state.openCalls.map(({ call }) => childRunId(runId, call.id)));
    const setup = this.boundTo(by);
    for (let index = 0; ; index += 1) {
      const taken = await this.journalFor(by, index, waiting);
      if (taken === undefined) continue;
      const { finished } = await this.starter.startAsked({ ...setup, journal: taken }, message);
      return finished;
    }
  }

  /** Locks a session; `undefined` if it is in use or this id belongs to another caller's session. */
  private async journalFor(
    by: AskedBy,
    index: number,
    waiting: ReadonlySet<string>,
    tries = MOST_TRIES,
  ): Promise<StoredJournal | undefined> {
    const { sessionId: parent = '', principal: owner, runId } = by.run;
    const sessionId = childSessionId(parent, this.name, index);
    const childRun = childRunId(runId, by.callId);
    const found = await this.store.find(sessionId);
    if (found) {
      const last = found.headline?.run;
      if (!this.isChildOf(found, by.run) || found.isHeld) return undefined;
      if (last?.status === 'requires_action' && waiting.has(last.runId)) return undefined;
      return this.writer.take(found, childRun).catch(undefinedIfBusy);
    }
    try {
      const session = {
        id: sessionId,
        parent,
        ...defined({ owner, agent: this.services.options.agent }),
      };
      return await this.writer.createForRun(session, childRun);
    } catch (error) {
      if (!(error instanceof SessionExistsError) || tries === 1) throw error;
      return this.journalFor(by, index, waiting, tries - 1);
    }
  }

  /** A stateless run asks stateless runs: it has no session that could own another one. */
  private async answerStateless(by: AskedBy, message: string): Promise<ChatResult> {
    const { unattended = { isReadOnly: false } } = by.run;
    const setup = { ...this.boundTo(by), unattended };
    const runId = childRunId(by.run.runId, by.callId);
    const { finished } = await this.starter.startStateless(runId, setup, message);
    return finished;
  }

  /** Ends a run whose process died. */
  private async settle(found: RunRecord, by: AskedBy): Promise<void> {
    const setup = await this.setupOf(found, by);
    await this.launcher.prepared(setup, async (run) => {
      await settleLastRun(run, this.services, setup.journal.draft);
      await run.release();
    });
  }

  private async find({ run, callId }: AskedBy): Promise<RunRecord | undefined> {
    const found = await this.store.findByRun(childRunId(run.runId, callId));
    return found && this.isChildOf(found, run) ? found : undefined;
  }

  /** Checks ownership: ids can be derived, and applications may create sessions with any id. */
  private isChildOf({ parent, owner, agent }: SessionRecord, run: RunContext): boolean {
    return (
      parent === run.sessionId && owner === run.principal && agent === this.services.options.agent
    );
  }

  private async resultOf(found: RunRecord, { run, callId }: AskedBy): Promise<ChatResult> {
    const { state } = await this.reader.view(found, childRunId(run.runId, callId));
    return storedResult(found.id, state, toolsOf(this.services.catalog));
  }

  private async setupOf(
    record: RunRecord,
    by: AskedBy,
  ): Promise<RunSetup & { readonly journal: StoredJournal }> {
    const journal = await this.writer.take(record, childRunId(by.run.runId, by.callId));
    return { ...this.boundTo(by), journal };
  }

  /** The setup of the run: the caller's request, without the tools of its page. */
  private boundTo(by: AskedBy): Omit<RunSetup, 'journal'> {
    const { principal, request, context, abort } = by.run;
    const options = defined({ principal, request, context, signal: abort.signal });
    return { options, askedBy: by };
  }
}

/** Another question has locked the session meanwhile. */
function undefinedIfBusy(error: unknown): undefined {
  if (!(error instanceof SessionBusyError)) throw error;
}

/**
 * The run id of an asked agent. It is derived from the call, so that a call never has two runs, even
 * after a crash.
 */
export function childRunId(runId: string, callId: string): string {
  return `run_${digest(runId, callId)}`;
}

/**
 * The id of a session in which an agent answers another agent's questions.
 *
 * @param index counts that agent's sessions from 0: a waiting session takes no other question
 */
export function childSessionId(sessionId: string, agent: string, index: number): string {
  return `ses_${digest(sessionId, agent, String(index))}`;
}

function digest(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
