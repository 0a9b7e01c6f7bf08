// Views of a caller's runs, for developers: timelines, the requests of model calls, tests of runs.
// Reads the journal and writes nothing.
export { RunInspector } from './run-inspector';
export { testOf } from './run-script';
export type { InspectedModel, InspectedRequest, RunPage, SessionTimeline } from './timeline';
