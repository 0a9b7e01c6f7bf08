import { Logger } from '@nestjs/common';
import type { Usage } from '../../message';
import { askObserved, type ChatModel, type ModelRequest } from '../../model';
import { CompactionError, SessionCompactor, type CompactionOptions } from '../../session';
import { originOf } from '../../telemetry';
import type { RunContext } from './run-context';

/** Has long histories summarised, between the steps of a run. */
export class RunCompaction {
  private readonly logger = new Logger('Compaction');
  private readonly compactor: SessionCompactor;

  constructor(private readonly options: CompactionOptions) {
    this.compactor = new SessionCompactor(options);
  }

  /**
   * Shortens the history if it is too long, or in any case with `force`. A summary that fails
   * leaves the history as it was.
   *
   * @returns what the summary cost, or `undefined` where nothing changed
   */
  async compact(
    run: RunContext,
    model: ChatModel,
    { system = '', tools }: Omit<ModelRequest, 'messages'>,
    force: boolean,
  ): Promise<Usage | undefined> {
    const { journal, runId, abort, telemetry } = run;
    const { state } = journal;
    try {
      const entry = await this.compactor.compact({
        state,
        runId,
        model,
        signal: abort.signal,
        ask: askObserved(model, telemetry, () => ({
          ...originOf(run),
          reason: 'compaction',
          attempt: 1,
        })),
        force,
        // What the provider counted had its surroundings with it.
        ...(state.measured === undefined && { surroundings: system + JSON.stringify(tools) }),
      });
      if (entry === undefined) return undefined;
      const { keepFrom, keepAlso = keepFrom } = entry;
      // The run's own entries are needed until it is over.
      const readFrom = Math.min(keepFrom, keepAlso, state.run?.position ?? keepFrom);
      await journal.checkpoint(entry, readFrom, !this.options.keepOriginals);
      const { tokensBefore, tokensAfter } = entry;
      telemetry.event(() => ({ type: 'compaction', ...originOf(run), tokensBefore, tokensAfter }));
      return entry.usage;
    } catch (error) {
      if (!(error instanceof CompactionError)) throw error;
      this.logger.warn(`Run ${runId}: ${error.message}`);
      return undefined;
    }
  }
}
