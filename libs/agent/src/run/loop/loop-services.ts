import type { ToolCallFactory, ToolCatalog, ToolDefaults } from '../../invocation';
import { Telemetry } from '../../telemetry';
import { type RunOptions } from '../request';
import type { Quotas, UsageRecorder } from '../spending';
import { RunCompaction } from './run-compaction';
import type { ToolStepServices } from './tool-step';

/** Dependencies that all runs of the application share. */
export class LoopServices implements ToolStepServices {
  readonly parallel: boolean;
  readonly maxConcurrency: number;
  readonly actionTimeoutMs: number;
  /** Missing if compaction is disabled. */
  readonly compaction?: RunCompaction;

  constructor(
    readonly options: RunOptions,
    { parallel, maxConcurrency }: ToolDefaults,
    readonly calls: ToolCallFactory,
    readonly catalog: ToolCatalog,
    readonly quotas: Quotas,
    readonly usage: UsageRecorder,
    readonly telemetry: Telemetry = new Telemetry(),
  ) {
    this.parallel = parallel;
    this.maxConcurrency = maxConcurrency;
    this.actionTimeoutMs = options.actionTimeoutMs;
    if (options.compaction) this.compaction = new RunCompaction(options.compaction);
  }
}
