import { defined } from '../../internal';
import type { ToolCatalog } from '../../invocation';
import type { Message } from '../../message';
import type { ModelSettings, ToolChoice } from '../../model';
import type { ToolDefinition } from '../../tool';
import {
  type ChatOptions,
  checkToolChoice,
  newRunId,
  type RunHandle,
  type RunOptions,
} from '../request';
import { EphemeralJournal, RunTelling } from '../record';
import type { ActiveRuns, ClientTools, Models, RunLauncher } from '../execution';
import { isOnOffer } from '../loop';
import { promptFor } from '../context';
import type { Quotas, UsageRecorder } from '../spending';

/** A whole conversation of a client that stores it. */
export interface CompletionInput {
  /** The messages; every `tool_use` has its `tool_result`. Its calls are never executed. */
  readonly messages: readonly Message[];
  /** The client's own tools, whose calls are returned in `pendingActions`; none by default. */
  readonly clientTools?: readonly ToolDefinition[];
  /** A name in the module's `models`; its `model` by default. */
  readonly model?: string;
  /** Which tools the model may or must use in the first step; `auto` by default. */
  readonly toolChoice?: ToolChoice;
  /** Output tokens per model call; the module's `maxTokens` by default and at most. */
  readonly maxTokens?: number;
  /** Settings of every model call; the provider's defaults by default. */
  readonly settings?: ModelSettings;
}

/** Stateless runs. Approvals are impossible, so tools that need one are not offered. */
export class CompletionRunner {
  constructor(
    private readonly options: RunOptions,
    private readonly models: Models,
    private readonly clientTools: ClientTools,
    private readonly catalog: ToolCatalog,
    private readonly active: ActiveRuns,
    private readonly launcher: RunLauncher,
    private readonly recorder: UsageRecorder,
    private readonly quotas: Quotas,
  ) {}

  async start(input: CompletionInput, options: ChatOptions): Promise<RunHandle> {
    const model = this.models.named(input.model);
    const { clientTools = [] } = input;
    const tools = this.clientTools.ofClient(clientTools, options.tools);
    await this.quotas.check(options.principal);
    const { runsPerPrincipal } = this.options;
    return this.active.admitted(options.principal, runsPerPrincipal, (leave) => {
      const runId = newRunId();
      const journal = new EphemeralJournal(
        input.messages,
        new RunTelling({ runId, sessionId: '' }),
        (before, entries) =>
          this.recorder.recordEntries(
            { agent: this.options.name, owner: options.principal },
            before,
            entries,
          ),
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
        const asked = defined({ toolChoice, maxTokens, settings });
        return this.launcher.launch(run, { model, systemPrompt, ...asked });
      });
    });
  }
}
