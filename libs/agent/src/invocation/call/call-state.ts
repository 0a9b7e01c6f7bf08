import type { AuditedApproval } from '../audit';
import type { CallOptions } from './call-options.interface';
import type { Execution } from './execution';
import type { TraceIds } from '../../telemetry';

/** Internal state of a call. */
export interface CallState {
  options: CallOptions;
  approval: AuditedApproval;
  /** Missing if a check refused the call. */
  execution?: Execution;
  /** Whether it was executed, here or elsewhere. */
  hasRun?: boolean;
  /** The span that it was executed in. */
  trace?: TraceIds | undefined;
}
