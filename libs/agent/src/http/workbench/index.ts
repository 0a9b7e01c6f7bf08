// The workbench: what a model is offered, calls by hand, and what happened in runs, for people who
// develop the application. Its controllers are registered only where the option is on; everything
// that it shows is its caller's own.
export { EvalCases } from './workbench-evals';
export { WorkbenchController } from './workbench.controller';
export { type OfferedEntry, type OfferSource, WorkbenchOffers } from './workbench-offers';
export { WorkbenchPageController } from './workbench-page.controller';
export { WorkbenchServices } from './workbench-services';
