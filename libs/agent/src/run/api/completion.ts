import type { Message } from '../../message';
import type { ModelSettings, ToolChoice } from '../../model';
import type { ToolDefinition } from '../../tool';
import { type ChatOptions, newRunId, type RunHandle } from '../request';
import type { ActiveRuns, RunLauncher } from '../execution';
import type { LoopServices } from '../loop';

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
    private readonly services: LoopServices,
    private readonly active: ActiveRuns,
    private readonly launcher: RunLauncher,
  ) {}

  async start(input: CompletionInput, options: ChatOptions): Promise<RunHandle> {
    const model = this.services.models.named(input.model);
    const { clientTools = [] } = input;
    const tools = this.services.clientTools.ofClient(clientTools, options.tools);
    const { options: limits, quotas } = this.services;
    await quotas.check(options.principal);
    return this.active.admitted(options.principal, limits.runsPerPrincipal, (leave) => {
      const unattended = { isReadOnly: clientTools.length > 0 };
      const { messages, toolChoice, maxTokens, settings } = input;
      const setup = { options, tools, leave, unattended };
      const request = { model, toolChoice, maxTokens, settings };
      return this.launcher.stateless(newRunId(), setup, messages, request);
    });
  }
}
