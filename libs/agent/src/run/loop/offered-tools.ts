import type { ToolCatalog } from '../../invocation';
import type { ChatModel, ToolChoice } from '../../model';
import type { Tool } from '../../tool';
import { callContextOf, type RunContext } from '../context';
import { invalidField } from '../request';
import { cannotWait, isLeftToClient } from './tool-step';

/** The source of a run's tools, and the model that receives them. */
interface Offer {
  readonly catalog: ToolCatalog;
  readonly model: ChatModel;
}

/** @throws InvalidInputError if the required tool is not offered */
export async function checkToolChoice(
  run: RunContext,
  offer: Offer,
  choice: ToolChoice | undefined,
): Promise<void> {
  if (typeof choice !== 'object' || (await find(run, offer, choice.name))) return;
  throw invalidField('toolChoice', '"toolChoice" names a tool that is not offered.');
}

/** The tools for a request to the model, including the one that it must call. */
export async function toolsForModel(
  run: RunContext,
  offer: Offer,
  toolChoice?: ToolChoice,
): Promise<readonly Tool[]> {
  const { messages } = run.journal.state;
  const offered = await offer.catalog.forModel(callContextOf(run), messages);
  const tools = offered.filter((tool) => isUsable(tool, run, offer));
  if (typeof toolChoice !== 'object' || tools.some((tool) => isNamed(tool, toolChoice.name))) {
    return tools;
  }
  // With details on demand the model may not have looked it up yet.
  const chosen = await find(run, offer, toolChoice.name);
  return chosen === undefined ? tools : [...tools, chosen];
}

async function find(run: RunContext, offer: Offer, name: string): Promise<Tool | undefined> {
  const offered = await offer.catalog.offered(callContextOf(run));
  return offered.find((tool) => isNamed(tool, name) && isUsable(tool, run, offer));
}

/** Unattended runs have no approvals, so tools that need one are not offered. */
function isUsable(tool: Tool, run: RunContext, { catalog, model }: Offer): boolean {
  if (!model.capabilities.tools) return false;
  if (run.unattended === undefined || tool.origin === 'client') return true;
  return !catalog.alwaysAsks(tool) && !isLeftToClient(tool, run) && !cannotWait(tool, run);
}

function isNamed({ definition }: Tool, name: string): boolean {
  return definition.name === name;
}
