import { Injectable } from '@nestjs/common';
import type { Message } from '../../message';
import type { ModelSettings, ToolChoice } from '../../model';
import type { ToolDefinition } from '../../tool';
import { type ChatOptions, newRunId, type RunHandle } from '../request';
import { EphemeralJournal, RunTelling } from '../record';
import { RunLauncher, RunStarter } from '../lifecycle';

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
    private readonly starter: RunStarter,
    private readonly launcher: RunLauncher,
  ) {}

  async start(input: CompletionInput, options: ChatOptions): Promise<RunHandle> {
    const model = this.starter.modelNamed(input.model);
    const clientTools = input.clientTools ?? [];
    const tools = this.starter.clientTools(clientTools, options.tools);
    return this.starter.admitted(options.principal, async (leave) => {
      const runId = newRunId();
      const telling = new RunTelling({ runId, sessionId: '' });
      const journal = new EphemeralJournal(input.messages, telling);
      const run = this.launcher.prepare({
        runId,
        options,
        frontend: 'park',
        journal,
        telling,
        tools,
        leave,
        unattended: { isReadOnly: clientTools.length > 0 },
      });
      return this.starter.orRelease(run, async () => {
        await this.starter.checkToolChoice(input.toolChoice, run, model);
        const startedAt = new Date().toISOString();
        await journal.append({ type: 'run.started', runId, modelName: model.name, startedAt });
        const request = await this.starter.requestFor(model, run);
        const { toolChoice, maxTokens, settings } = input;
        return this.launcher.launch(run, {
          ...request,
          ...(toolChoice && { toolChoice }),
          ...(maxTokens !== undefined && { maxTokens }),
          ...(settings && { settings }),
        });
      });
    });
  }
}
