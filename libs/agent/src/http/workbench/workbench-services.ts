import { CallWatches, type ToolCallFactory, ToolExplainer } from '../../invocation';
import type { AgentCalls, AgentRuns, AgentSettings, RunInspector } from '../../run';
import type { BootReport } from '../../tool';
import type { CallerResolver } from '../caller';
import type { EndpointSettings } from '../options';
import { TriedCalls } from './tried-calls';
import type { EvalCases } from './workbench-evals';
import { WorkbenchOffers } from './workbench-offers';
import { WorkbenchTools } from './workbench-tools';

/** Dependencies of one agent's workbench. */
export class WorkbenchServices {
  readonly tools: WorkbenchTools;
  readonly tried: TriedCalls;
  readonly runs: RunInspector;

  constructor(
    readonly evals: EvalCases,
    { catalog, rules }: AgentCalls,
    { inspector }: AgentRuns,
    calls: ToolCallFactory,
    { model }: AgentSettings,
    readonly callers: CallerResolver,
    settings: EndpointSettings,
    watches = new CallWatches(),
    offers = new WorkbenchOffers(),
    report?: BootReport,
  ) {
    const explainer = new ToolExplainer(catalog, rules, report);
    this.tools = new WorkbenchTools(explainer, offers, model, settings);
    this.tried = new TriedCalls(calls, watches);
    this.runs = inspector;
  }
}
