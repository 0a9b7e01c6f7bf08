// What happened in a caller's runs, for people who develop the application: timelines, the requests
// of model calls, tests of runs. It reads the journal and writes nothing.
export { RunInspector } from './run-inspector';
export { testOf } from './run-script';
export type { InspectedModel, InspectedRequest, RunPage, SessionTimeline } from './timeline';
