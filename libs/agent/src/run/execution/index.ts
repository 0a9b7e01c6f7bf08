// The runs that this process executes: their sessions, launch, end.
export { RunLauncher, type RunSetup, type WorkerSetup } from './run-launcher';
export { SessionAccess, type SessionClaim } from './session-access';
export { SessionWriter } from './session-writer';
export { ActiveRuns, type ActiveRun } from './active-runs';
export { Shutdown } from './shutdown';
