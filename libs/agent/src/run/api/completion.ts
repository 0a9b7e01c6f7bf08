import { Inject, Injectable } from '@nestjs/common';
import { ToolCatalog } from '../../invocation';
import type { Message } from '../../message';
import type { ModelSettings, ToolChoice } from '../../model';
import type { ToolDefinition } from '../../tool';
import {
  type ChatOptions,
  checkToolChoice,
  newRunId,
  RUN_OPTIONS,
  type RunHandle,
  type RunOptions,
} from '../request';
import { EphemeralJournal, RunTelling } from '../record';
import { ActiveRuns, ClientTools, Models, RunLauncher } from '../lifecycle';
import { isOnOffer, promptFor } from '../loop';

/** A whole conversation from a client that keeps it itself. */
export interface CompletionInput {
  /** Valid as it is: every `tool_use` with its `tool_result`. Its calls are never run. */
  readonly messages: readonly Message[];
  /** The client's own tools: their calls come back in `pendingActions`; none by default. */
  readonly clientTools?: readonly ToolDefinition[];
  /** One of the names in the module's `models`; its `model` by default. */
  readonly model?: string;
  /** Which tools the model may or must use in the first step; `auto` by default. */
  readonly toolChoice?: ToolChoice;
  /** Output tokens per model call; the module's `maxTokens` by default and at most. */
  readonly maxTokens?: number;
  /** How the model is to word every answer of the run; the provider's own way by default. */
  readonly settings?: ModelSettings;
}

/** Runs that leave nothing behind. Nobody can be asked, so tools that ask are not offered. */
@Injectable()
export class CompletionRunner {
  constructor(
    @Inject(RUN_OPTIONS) private readonly options: RunOptions,
    private readonly models: Models,
    private readonly clientTools: ClientTools,
    private readonly catalog: ToolCatalog,
    private readonly active: ActiveRuns,
    private readonly launcher: RunLauncher,
  ) {}

  async start(input: CompletionInput, options: ChatOptions): Promise<RunHandle> {
    const model = this.models.named(input.model);
    const { clientTools = [] } = input;
    const tools = this.clientTools.ofClient(clientTools, options.tools);
    const { runsPerPrincipal } = this.options;
    return this.active.admitted(options.principal, runsPerPrincipal, (leave) => {
      const runId = newRunId();
      const journal = new EphemeralJournal(
        input.messages,
        new RunTelling({ runId, sessionId: '' }),
      );
      const unattended = { isReadOnly: clientTools.length > 0 };
      const setup = { runId, options, journal, tools, leave, unattended };
      return this.launcher.prepared(setup, async (run) => {
        const { catalog } = this;
        await checkToolChoice(input.toolChoice, (name) => isOnOffer(run, { catalog, model }, name));
        const startedAt = new Date().toISOString();
        await journal.append({ type: 'run.started', runId, modelName: model.name, startedAt });
        const systemPrompt = await promptFor(run, this.options.systemPrompt);
        const { toolChoice, maxTokens, settings } = input;
        return this.launcher.launch(run, {
          model,
          systemPrompt,
          ...(toolChoice && { toolChoice }),
          ...(maxTokens !== undefined && { maxTokens }),
          ...(settings && { settings }),
        });
      });
    });
  }
}
