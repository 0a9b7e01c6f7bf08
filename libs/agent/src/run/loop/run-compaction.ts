import { Logger } from '@nestjs/common';
import type { Usage } from '../../message';
import type { AskModel, ChatModel, ModelRequest } from '../../model';
import { CompactionError, SessionCompactor, type CompactionOptions } from '../../session';
import { toolText } from '../../tool';
import { runOriginOf, type RunContext } from '../context';

/** Compacts long histories between the steps of a run. */
export class RunCompaction {
  private readonly logger = new Logger('Compaction');
  private readonly compactor: SessionCompactor;

  constructor(private readonly options: CompactionOptions) {
    this.compactor = new SessionCompactor(options);
  }

  /**
   * Compacts the history if it is too long, or always with `force`. A failed summary leaves the
   * history unchanged.
   *
   * @param ask asks the model for the summary
   * @param onWasted receives the tokens of a summary that failed
   * @returns the summary's usage, or `undefined` if nothing changed
   */
  async compact(
    run: RunContext,
    model: ChatModel,
    { system = '', tools }: Omit<ModelRequest, 'messages'>,
    force: boolean,
    ask: AskModel,
    onWasted: (usage: Usage) => void,
  ): Promise<Usage | undefined> {
    const { journal, runId, abort, telemetry } = run;
    const { state } = journal;
    try {
      const entry = await this.compactor.compact({
        state,
        runId,
        model,
        signal: abort.signal,
        ask,
        force,
        onWasted,
        surroundings: () => system + toolText(tools),
      });
      if (entry === undefined) return undefined;
      const { keepFrom, keepAlso = keepFrom } = entry;
      // The run's own entries are needed until it ends.
      const readFrom = Math.min(keepFrom, keepAlso, state.run?.position ?? keepFrom);
      await journal.checkpoint(entry, readFrom, !this.options.keepOriginals);
      const { tokensBefore, tokensAfter } = entry;
      telemetry.event(() => ({
        type: 'compaction',
        ...runOriginOf(run),
        tokensBefore,
        tokensAfter,
      }));
      return entry.usage;
    } catch (error) {
      if (!(error instanceof CompactionError)) throw error;
      this.logger.warn(`Run ${runId}: ${error.message}`);
      return undefined;
    }
  }
}
