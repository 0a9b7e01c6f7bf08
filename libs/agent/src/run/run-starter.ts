import { Inject, Injectable } from '@nestjs/common';
import { buildFrontendTool, type Deliveries } from '../invocation';
import { textMessage } from '../message';
import type { ChatModel } from '../model';
import { definitionProblems, ToolRegistry } from '../registry';
import type { Tool, ToolDefinition } from '../tool';
import { ActiveRuns } from './active-runs';
import type { LoopRequest } from './agent-loop';
import type { ChatInput, StartOptions } from './chat-input';
import { newRunId } from './identifiers';
import { checkFrontendTools, checkMessage } from './input-check';
import { settleLastRun } from './recovery';
import type { RunContext } from './run-context';
import { InvalidInputError, TooManyRunsError } from './run-errors';
import type { RunHandle } from './run-handle';
import { RunLauncher } from './run-launcher';
import type { RunOptions } from './run-options';
import { AGENT_MODEL, AGENT_MODELS, RUN_OPTIONS } from './run.constants';
import { SessionAccess } from './session-access';
import { SessionWriter } from './session-writer';

/** Begins runs: checks what was sent, takes the session, settles what its last run left open. */
@Injectable()
export class RunStarter {
  constructor(
    @Inject(RUN_OPTIONS) private readonly options: RunOptions,
    @Inject(AGENT_MODEL) private readonly model: ChatModel,
    @Inject(AGENT_MODELS) private readonly models: ReadonlyMap<string, ChatModel>,
    private readonly registry: ToolRegistry,
    private readonly sessions: SessionAccess,
    private readonly writer: SessionWriter,
    private readonly launcher: RunLauncher,
    private readonly active: ActiveRuns,
  ) {}

  async start(input: ChatInput, options: StartOptions): Promise<RunHandle> {
    checkMessage(input, this.options);
    const model = this.modelNamed(input.model);
    this.checkRunCount(options.principal);
    const tools = this.frontendTools(input.frontendTools ?? []);
    const record =
      input.sessionId === undefined
        ? await this.sessions.create(options.principal)
        : await this.sessions.find(input.sessionId, options.principal);
    const runId = newRunId();
    const journal = await this.writer.take(record);
    const run = this.launcher.prepare({
      runId,
      sessionId: record.id,
      options,
      frontend: options.frontend ?? 'park',
      journal,
      tools,
    });
    try {
      await settleLastRun(run, this.registry, this.launcher.services);
      await journal.append(
        {
          type: 'run.started',
          runId,
          ...(input.model !== undefined && { model: input.model }),
          startedAt: new Date().toISOString(),
        },
        { type: 'message', runId, message: textMessage('user', input.message) },
      );
      run.log.push({ type: 'run.started', sessionId: record.id, model: model.name });
      return this.launcher.launch(run, {
        ...(await this.requestFor(model, run)),
        ...(input.environmentContext && { environmentContext: input.environmentContext }),
        ...(input.toolChoice && { toolChoice: input.toolChoice }),
      });
    } catch (error) {
      await run.release();
      throw error;
    }
  }

  /** The default model, or one that the module's options name. @throws InvalidInputError */
  modelNamed(name: string | undefined): ChatModel {
    if (name === undefined) return this.model;
    const model = this.models.get(name);
    if (model !== undefined) return model;
    const known = [...this.models.keys()].map((key) => `"${key}"`).join(', ');
    throw new InvalidInputError(
      `There is no model "${name}". ${known === '' ? '' : `Choose one of ${known}, or `}leave "model" out.`,
      [],
      'model_not_found',
    );
  }

  /** @throws TooManyRunsError */
  checkRunCount(principal: string | undefined): void {
    const { runsPerPrincipal } = this.options;
    if (principal !== undefined && this.active.countOf(principal) >= runsPerPrincipal) {
      throw new TooManyRunsError(runsPerPrincipal);
    }
  }

  /** Checks definitions that a client sent. @throws InvalidInputError */
  frontendTools(
    definitions: readonly ToolDefinition[],
  ): (deliveries: Deliveries) => readonly Tool[] {
    const limits = this.options.frontendTools;
    checkFrontendTools(
      definitions,
      limits,
      definitionProblems,
      (name) => this.registry.find(name) !== undefined,
    );
    if (limits === false) return () => [];
    return (deliveries) =>
      definitions.map((each) => buildFrontendTool(each, deliveries, limits.timeoutMs));
  }

  async requestFor(model: ChatModel, run: RunContext): Promise<LoopRequest> {
    const { systemPrompt } = this.options;
    if (typeof systemPrompt === 'string') return { model, systemPrompt };
    const { principal, request, sessionId, runId } = run;
    const context = {
      runId,
      ...(principal !== undefined && { principal }),
      ...(request !== undefined && { request }),
      ...(sessionId !== undefined && { sessionId }),
    };
    return { model, systemPrompt: await systemPrompt(context) };
  }
}
