// Audit records of calls, and where they go.
export { type AuditedApproval, type AuditRecord } from './audit-record';
export { CallRecorder } from './call.recorder';
export { type AuditOptions, type AuditSink } from './audit-sink.interface';
export { LoggerAuditSink } from './logger-audit.sink';
export { hidesArguments, shownInput, storedInput } from './shown-input';
