import type { ToolDefinition } from '../../../tool';
import { withoutCourtesy, wordsOf } from './words';

/** A tool that takes a message to someone, and the message to pass on. */
interface Addressed {
  readonly tool: ToolDefinition;
  readonly message: string;
}

/** Whether a tool asks another agent: by its name, and because its only parameter is `message`. */
export function isAsking({ name, input_schema }: ToolDefinition): boolean {
  const [first] = wordsOf(name);
  const { required = [] } = input_schema;
  return first?.toLowerCase() === 'ask' && required.length === 1 && required[0] === 'message';
}

/**
 * The tool whose name begins a request, as in "ask the operations agent to deploy demo-app", with
 * the user's own words behind it.
 */
export function addressedIn(
  request: string,
  tools: readonly ToolDefinition[],
): Addressed | undefined {
  const bare = withoutCourtesy(request);
  for (const tool of tools.filter(isAsking)) {
    const name = wordsOf(tool.name).join(String.raw`\s+(?:(?:the|our)\s+)?`);
    const pattern = String.raw`^${name}(?:\s+agent)?(?![\p{L}\p{N}-])[\s:,]*(?:(?:to|about|for|whether|if)\s+)?(.+)$`;
    const message = new RegExp(pattern, 'isu').exec(bare)?.[1]?.trim();
    if (message) return { tool, message };
  }
  return undefined;
}
