import type { ToolCatalog } from '../invocation';
import type { ChatModel, ToolChoice } from '../model';
import type { Tool } from '../tool';
import { callsTools } from './model.check';
import { callContextOf, type RunContext } from './run-context';
import { isLeftToClient } from './tool-step';

/** Where a run's tools come from, and the model that is told of them. */
export interface Offer {
  readonly catalog: ToolCatalog;
  readonly model: ChatModel;
}

/** Whether the model may call a tool of this name in the run. */
export function isOnOffer(run: RunContext, offer: Offer, name: string): boolean {
  return find(run, offer, name) !== undefined;
}

/** The tools that go into a request to the model, the one that it has to call among them. */
export function toolsForModel(
  run: RunContext,
  offer: Offer,
  toolChoice?: ToolChoice,
): readonly Tool[] {
  const tools = offer.catalog
    .forModel(callContextOf(run), run.journal.state.messages)
    .filter((tool) => isUsable(tool, run, offer));
  if (typeof toolChoice !== 'object' || tools.some((tool) => isNamed(tool, toolChoice.name))) {
    return tools;
  }
  // With details on demand it may not have been looked up yet.
  const chosen = find(run, offer, toolChoice.name);
  return chosen === undefined ? tools : [...tools, chosen];
}

function find(run: RunContext, offer: Offer, name: string): Tool | undefined {
  return offer.catalog
    .offered(callContextOf(run))
    .find((tool) => isNamed(tool, name) && isUsable(tool, run, offer));
}

/** Where nobody can be asked, a tool that asks is of no use. */
function isUsable(tool: Tool, run: RunContext, { catalog, model }: Offer): boolean {
  if (!callsTools(model)) return false;
  if (run.unattended === undefined || tool.isAnsweredByCaller === true) return true;
  return !catalog.alwaysAsks(tool) && !isLeftToClient(tool, run);
}

function isNamed({ definition }: Tool, name: string): boolean {
  return definition.name === name;
}
