import { Inject, Injectable, Optional } from '@nestjs/common';
import {
  AgentDepth,
  BUILTIN_OPTIONS,
  type BuiltinOptions,
  CallRecorder,
  TOOL_DEFAULTS,
  type ToolDefaults,
  ToolExecutor,
} from '../../invocation';
import { ToolRegistry } from '../../registry';
import type { SessionStore } from '../../session';
import { BootReport } from '../../tool';
import { AgentDirectory } from '../asking';
import type { RunBus } from '../bus';
import { ActiveRuns } from '../execution';
import { Elsewhere, RunReader } from '../lookup';
import { RunClaims, RunJobs } from '../queue';
import { FoldedSessions } from '../record';
import { RUN_BUS, RUN_STORE } from '../request';
import { Quotas, UsageRecorder } from '../spending';
import { RunTakers } from '../worker';

/** Dependencies that all agents of the application share. */
@Injectable()
export class AgentServices {
  constructor(
    readonly registry: ToolRegistry,
    readonly executor: ToolExecutor,
    readonly callRecorder: CallRecorder,
    @Inject(TOOL_DEFAULTS) readonly defaults: ToolDefaults,
    @Inject(RUN_STORE) readonly store: SessionStore,
    @Inject(RUN_BUS) readonly bus: RunBus | null,
    readonly folded: FoldedSessions,
    readonly reader: RunReader,
    readonly active: ActiveRuns,
    readonly elsewhere: Elsewhere,
    readonly directory: AgentDirectory,
    readonly quotas: Quotas,
    readonly usageRecorder: UsageRecorder,
    readonly jobs: RunJobs,
    readonly claims: RunClaims,
    readonly takers: RunTakers,
    readonly depth: AgentDepth,
    @Optional() @Inject(BUILTIN_OPTIONS) readonly builtins?: BuiltinOptions,
    @Optional() readonly report?: BootReport,
  ) {}
}
