import type { ToolCallFactory, ToolCatalog, ToolDefaults } from '../../invocation';
import type { Telemetry } from '../../telemetry';
import type { RunOptions } from '../request';
import type { Quotas, UsageRecorder } from '../spending';
import type { ClientTools } from './client-tools';
import type { Models } from './models';
import { RunCompaction } from './run-compaction';

/** Dependencies that all runs of one agent share. */
export class LoopServices {
  /** Missing if compaction is disabled. */
  readonly compaction?: RunCompaction;

  constructor(
    readonly options: RunOptions,
    readonly defaults: ToolDefaults,
    readonly calls: ToolCallFactory,
    readonly catalog: ToolCatalog,
    readonly models: Models,
    readonly clientTools: ClientTools,
    readonly quotas: Quotas,
    readonly usage: UsageRecorder,
    readonly telemetry: Telemetry,
  ) {
    if (options.compaction) this.compaction = new RunCompaction(options.compaction);
  }
}
