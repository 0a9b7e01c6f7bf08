import { Logger } from '@nestjs/common';
import { thrownText } from '../../internal';
import { AWAITED, CallInterruptedError, type Settlement, type ToolCatalog } from '../../invocation';
import type { PendingAction, ToolUseBlock } from '../../message';
import { ToolError } from '../../tool';
import { type AskedBy, type Asking, type RunContext } from '../context';
import {
  ActionConflictError,
  type AskableAgent,
  type ChatAction,
  type ChatResult,
} from '../request';
import type { AgentDirectory, AskedAgent } from './agent-directory';

/** The maximum depth of agents that ask agents, including the first one. */
const DEEPEST = 3;

/** The maximum of questions per run, including those of asked agents: each costs model calls. */
const MOST_QUESTIONS = 32;

/** The runs of the agents that one run asks. */
export class AskedRuns implements Asking {
  /** Shared by all runs: most ask no agent. */
  private static readonly logger = new Logger('Agent');
  private readonly waiting = new Map<string, readonly PendingAction[]>();
  private readonly closed = new Set<string>();
  private readonly working = new Set<Promise<unknown>>();
  /** The last question to each agent: they are asked in order. */
  private readonly last = new Map<string, Promise<unknown>>();

  constructor(
    private readonly directory: AgentDirectory,
    private readonly catalog: ToolCatalog,
    private readonly asks: readonly AskableAgent[],
  ) {}

  async ask(run: RunContext, name: string, callId: string, message: string): Promise<unknown> {
    const agent = this.directory.find(name);
    if (agent === undefined) throw new ToolError(`There is no agent "${name}".`);
    const { questions } = run;
    if (questions.asked >= MOST_QUESTIONS) {
      throw new ToolError(
        `The agent "${name}" was not asked: a run may ask at most ${MOST_QUESTIONS} questions.`,
      );
    }
    questions.asked += 1;
    if (depthOf(run) >= DEEPEST) {
      throw new ToolError(
        `The agent "${name}" was not asked: at most ${DEEPEST} agents may ask each other in a row.`,
      );
    }
    this.waiting.delete(callId);
    const result = await this.inOrder(name, () => agent.proceed({ by: { run, callId }, message }));
    if (result.status === 'requires_action') {
      this.waiting.set(
        callId,
        result.pendingActions.map(({ agent: of = name, ...action }) => ({ ...action, agent: of })),
      );
      return AWAITED;
    }
    return answerOf(name, result, run);
  }

  awaited(callId: string): readonly PendingAction[] {
    return this.waiting.get(callId) ?? [];
  }

  close(callId: string): void {
    this.closed.add(callId);
  }

  isClosed(callId: string): boolean {
    return this.closed.has(callId);
  }

  async check(run: RunContext, via: string, answers: readonly ChatAction[]): Promise<void> {
    await this.askedBy(run, via, answers).check({ run, callId: via }, answers);
  }

  async accept(run: RunContext, via: string, answers: readonly ChatAction[]): Promise<void> {
    await this.askedBy(run, via, answers).accept({ run, callId: via }, answers);
  }

  async conclude(
    run: RunContext,
    calls: readonly Pick<ToolUseBlock, 'id' | 'name'>[],
  ): Promise<ReadonlyMap<string, Settlement>> {
    const settlements = new Map<string, Settlement>();
    if (this.asks.length === 0) return settlements;
    for (const call of calls) {
      const agent = this.agentOf(run, call);
      if (agent === undefined) continue;
      const end = await this.endOf(agent, { run, callId: call.id });
      settlements.set(call.id, settlementOf(agent.name, end));
    }
    return settlements;
  }

  async forget({ sessionId }: RunContext): Promise<void> {
    if (sessionId === undefined) return;
    for (const { name } of this.asks) await this.directory.find(name)?.forget(sessionId);
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.working);
  }

  /** The agent of an open call. @throws ActionConflictError if a deployment has removed it */
  private askedBy(run: RunContext, via: string, answers: readonly ChatAction[]): AskedAgent {
    const call = run.journal.state.openCalls.find((open) => open.call.id === via)?.call;
    const agent = call && this.agentOf(run, call);
    if (agent === undefined) {
      throw new ActionConflictError('not_pending', answers[0]?.callId ?? via);
    }
    return agent;
  }

  private agentOf(run: RunContext, { name }: Pick<ToolUseBlock, 'name'>): AskedAgent | undefined {
    const asked = this.catalog.find(name, run)?.asks;
    return asked === undefined ? undefined : this.directory.find(asked);
  }

  private async endOf(agent: AskedAgent, by: AskedBy): Promise<ChatResult | undefined> {
    try {
      return await agent.conclude(by);
    } catch (error) {
      AskedRuns.logger.warn(
        `The run of the agent "${agent.name}" for call ${by.callId} could not be ended: ${thrownText(error)}`,
      );
      return undefined;
    }
  }

  private inOrder<T>(agent: string, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(agent) ?? Promise.resolve();
    const done = before.then(work, work);
    this.last.set(agent, done);
    this.working.add(done);
    const leave = (): void => void this.working.delete(done);
    done.then(leave, leave);
    return done;
  }
}

function depthOf({ askedBy }: RunContext): number {
  return askedBy ? depthOf(askedBy.run) + 1 : 1;
}

/** @throws ToolError if the agent failed */
function answerOf(agent: string, result: ChatResult, run: RunContext): string {
  if (run.abort.signal.aborted) throw new CallInterruptedError();
  if (result.status === 'completed') return result.message;
  throw new ToolError(failureOf(agent, result));
}

/** Failures whose message asks to try again, at which the model would repeat finished work. */
const STOPPED_BY: ReadonlySet<unknown> = new Set([
  'interrupted',
  'lease_lost',
  'shutdown',
  'store_unavailable',
]);

function failureOf(agent: string, result: ChatResult | undefined): string {
  if (result?.status === 'failed' && !STOPPED_BY.has(result.error?.code)) {
    return `The agent "${agent}" failed: ${result.error?.message ?? 'it gave no reason.'}`;
  }
  return `The agent "${agent}" was stopped before it answered. What it did until then stays done.`;
}

/** The settlement of an unfinished call, from the stored end of the asked agent's run. */
function settlementOf(agent: string, end: ChatResult | undefined): Settlement {
  if (end?.status === 'completed') {
    return { status: 'executed', content: end.message, result: end.message };
  }
  const message = failureOf(agent, end);
  return { status: 'interrupted', content: message, error: { code: 'interrupted', message } };
}
