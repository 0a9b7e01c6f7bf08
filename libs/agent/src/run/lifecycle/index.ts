// Starting, queueing, resuming, recovering, asking and rewinding runs.
export { ChildRuns } from './child-runs';
export { Rewinding } from './rewinding';
export { RunEnqueuer } from './run-enqueuer';
export { RunResumer, type ResumeOptions } from './run-resumer';
export { StoredAnswers } from './stored-answers';
export { RunStarter } from './run-starter';
