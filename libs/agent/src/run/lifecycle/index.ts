// Runs from start to release: starting, resuming, recovering, cancelling, finding, shutting down.
export { Models } from './models';
export { ChildRuns } from './child-runs';
export { ClientTools } from './client-tools';
export { RunLookup } from './run-lookup';
export { RunResumer, type ResumeOptions } from './run-resumer';
export { RunStarter } from './run-starter';
export { type SessionClaim, SessionAccess } from './session-access';
export { RunLauncher } from './run-launcher';
export { ActiveRuns } from './active-runs';
export { AnswerTaker } from './answer-taker';
export { Elsewhere } from './elsewhere';
export { Rewinding } from './rewinding';
export { SessionWriter } from './session-writer';
export { RunReader } from './run.reader';
export { Shutdown } from './shutdown';
export { WaitingRunCanceller } from './waiting-run.canceller';
