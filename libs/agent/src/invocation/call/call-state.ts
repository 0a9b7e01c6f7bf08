import type { AuditedApproval } from '../audit';
import type { CallOptions } from './call-options.interface';
import type { Execution } from './execution';

/** What the engine remembers of a call and the call does not show. */
export interface CallState {
  options: CallOptions;
  approval: AuditedApproval;
  /** Missing where the call was refused before it was checked through. */
  execution?: Execution;
  /** Whether it was carried out, here or elsewhere with its result delivered. */
  hasRun?: boolean;
}
