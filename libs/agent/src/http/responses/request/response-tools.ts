import { isJsonObject, type JsonObject } from '../../../message';
import type { SentTool } from '../../client-tools';
import { functionOf, invalid, OpenAiRequestError, type RawBody, wrong } from '../../openai';

/** A request's tools: those of the client, and all of them for the answer to repeat. */
interface SentTools {
  readonly own: readonly SentTool[];
  readonly shown: readonly object[];
}

/**
 * Function tools are the client's own. A tool of type `mcp` stands for this agent's tools, which
 * are offered in any case; its `server_url` is not read.
 *
 * @param agentName the only label of a tool of type `mcp`
 * @throws OpenAiRequestError naming the tool
 */
export function toolsOf({ tools = [] }: RawBody, agentName: string): SentTools {
  if (tools === null) return { own: [], shown: [] };
  if (!Array.isArray(tools)) throw wrong('tools', 'an array');
  const own: SentTool[] = [];
  const shown = tools.map((tool: unknown, index) => {
    const at = `tools[${index}]`;
    if (!isJsonObject(tool)) throw wrong(at, 'an object');
    if (tool['type'] === 'mcp') return labelled(tool, at, agentName);
    const sent = ownToolOf(tool, at);
    own.push(sent);
    const { name, description = null, parameters = null } = sent;
    return { type: 'function', name, description, parameters, strict: tool['strict'] === true };
  });
  return { own, shown };
}

function labelled(tool: JsonObject, at: string, agentName: string): object {
  const { server_label: label } = tool;
  if (label === agentName) return { type: 'mcp', server_label: agentName };
  const problem = `this server runs only its own tools, under the label '${agentName}'`;
  throw invalid(`${at}.server_label`, problem, 'unsupported_value');
}

function ownToolOf(tool: JsonObject, at: string): SentTool {
  const { type } = tool;
  if (type !== 'function') {
    throw new OpenAiRequestError(
      `Unsupported tool: '${at}' is of the type ${JSON.stringify(type)?.slice(0, 100)}. OpenAI's hosted tools are not served here; send tools of type 'function'.`,
      `${at}.type`,
      'unsupported_value',
    );
  }
  return functionOf(tool, at);
}

/** The name of the tool that a request's `tool_choice` demands. */
export function chosenTool({ type, name }: JsonObject): unknown {
  return type === 'function' || type === 'mcp' ? name : undefined;
}
