import { jsonIn } from '../../internal';
import { isJsonObject, resultText, toolUsesOf, type Message } from '../../message';
import { SEARCH_TOOLS, TOOL_DETAIL } from './builtins';

/** The maximum number of known tools; the least recently looked up is dropped. */
const MOST_REVEALED = 24;

/**
 * The names of the tools that a conversation has looked up or used, so that the model gets their
 * details. Derived from the messages, so nothing is stored.
 */
export function revealedTools(messages: readonly Message[]): ReadonlySet<string> {
  const searches = new Set<string>();
  const names = new Set<string>();
  const reveal = (name: string) => {
    names.delete(name);
    names.add(name);
  };
  for (const message of messages) {
    for (const { id, name, input } of toolUsesOf(message)) {
      if (name === SEARCH_TOOLS) searches.add(id);
      else if (name === TOOL_DETAIL && typeof input['name'] === 'string') reveal(input['name']);
      else reveal(name);
    }
    for (const block of message.content) {
      if (block.type !== 'tool_result' || !searches.has(block.tool_use_id)) continue;
      for (const name of foundNames(resultText(block.content))) reveal(name);
    }
  }
  return new Set([...names].slice(-MOST_REVEALED));
}

function foundNames(result: string): readonly string[] {
  const found = jsonIn(result);
  // A failed search has a text as result.
  if (!Array.isArray(found)) return [];
  return found.flatMap((hit: unknown) => {
    const name = isJsonObject(hit) ? hit['name'] : undefined;
    return typeof name === 'string' ? [name] : [];
  });
}
