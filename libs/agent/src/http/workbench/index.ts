// The workbench, for developers of the application: offered tools, calls by hand, timelines of runs.
// Its controllers are registered only if the option is on; it shows only the caller's own runs.
export { EvalCases } from './workbench-evals';
export { WorkbenchController } from './workbench.controller';
export { type OfferedEntry, type OfferSource, WorkbenchOffers } from './workbench-offers';
export { WorkbenchPageController } from './workbench-page.controller';
export { WorkbenchServices } from './workbench-services';
