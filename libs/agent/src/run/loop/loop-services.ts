import { Inject, Injectable, Optional } from '@nestjs/common';
import {
  TOOL_DEFAULTS,
  ToolCallFactory,
  ToolCatalog,
  type ToolDefaults,
  OWN_CALLS,
} from '../../invocation';
import { Telemetry } from '../../telemetry';
import { RUN_OPTIONS, type RunOptions } from '../request';
import { Quotas } from '../spending';
import { RunCompaction } from './run-compaction';
import type { ToolStepServices } from './tool-step';

/** Dependencies that all runs of the application share. */
@Injectable()
export class LoopServices implements ToolStepServices {
  readonly parallel: boolean;
  readonly maxConcurrency: number;
  readonly actionTimeoutMs: number;
  /** Missing if compaction is disabled. */
  readonly compaction?: RunCompaction;

  constructor(
    @Inject(RUN_OPTIONS) readonly options: RunOptions,
    @Inject(TOOL_DEFAULTS) { parallel, maxConcurrency }: ToolDefaults,
    @Inject(OWN_CALLS) readonly calls: ToolCallFactory,
    readonly catalog: ToolCatalog,
    readonly quotas: Quotas,
    @Optional() readonly telemetry: Telemetry = new Telemetry(),
  ) {
    this.parallel = parallel;
    this.maxConcurrency = maxConcurrency;
    this.actionTimeoutMs = options.actionTimeoutMs;
    if (options.compaction) this.compaction = new RunCompaction(options.compaction);
  }
}
