// The back end's own types: the page and its endpoints cannot differ. Types alone, so no code of the
// server enters the page.
import type { WorkbenchList } from '../../../agent/src/http/workbench/workbench-tools';
import type { RunPage as Page } from '../../../agent/src/run/inspection/timeline';

export type * from '../../../agent/src/message';
export type { JsonSchema } from '../../../agent/src/tool';

export type { TriedCall } from '../../../agent/src/http/workbench/tried-calls';
export type { WorkbenchEvals } from '../../../agent/src/http/workbench/workbench-evals';
export type { WorkbenchTool } from '../../../agent/src/http/workbench/workbench-tools';
export type {
  InspectedRequest,
  RunPage,
  RunTimeline,
  TimelineItem,
} from '../../../agent/src/run/inspection/timeline';

export type { WorkbenchList };
export type ListedTool = WorkbenchList['tools'][number];
export type Offer = WorkbenchList['offers'][number];
export type RunSummary = Page['runs'][number];
