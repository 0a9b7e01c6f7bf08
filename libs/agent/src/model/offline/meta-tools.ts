import { jsonIn } from '../../internal';
import { isJsonObject, resultText, toolUsesOf, type JsonObject, type Message } from '../../message';
import type { JsonSchema, ToolDefinition } from '../../tool';
import { callsIn } from './conversation.reader';
import { normalizeWord, wordsOf } from './language';

/** The library's own tools, which find and equip others and answer no request by themselves. */
export const META_TOOLS: ReadonlySet<string> = new Set([
  'search_tools',
  'tool_detail',
  'reset_equipped_tools',
]);

/** Tools whose schema is in the history, in results of `tool_detail`. */
export function toolsLearned(messages: readonly Message[]): readonly ToolDefinition[] {
  return answersOf('tool_detail', messages).flatMap((detail) => {
    const { name, description, input_schema } = detail;
    if (typeof name !== 'string' || !isJsonObject(input_schema)) return [];
    return [
      { name, description: typeof description === 'string' ? description : name, input_schema },
    ];
  });
}

/** Tools that `search_tools` found; only their name and summary are known. */
export function toolsFound(messages: readonly Message[]): readonly ToolDefinition[] {
  return answersOf('search_tools', messages).flatMap(({ name, summary }) => {
    if (typeof name !== 'string') return [];
    const description = typeof summary === 'string' ? summary : name;
    return [{ name, description, input_schema: { type: 'object' } }];
  });
}

/** Whether this call of a meta tool was already made since the user's last message. */
export function wasAsked(name: string, input: JsonObject, messages: readonly Message[]): boolean {
  const wanted = JSON.stringify(input);
  return messages.some((message) =>
    toolUsesOf(message).some((call) => call.name === name && JSON.stringify(call.input) === wanted),
  );
}

/** The groups that a request's words name, of those `reset_equipped_tools` can equip. */
export function groupsFor(clause: string, tool: ToolDefinition): readonly string[] {
  const groups = groupNames(tool.input_schema.properties?.['to_activate'] ?? {});
  const spoken = new Set(wordsOf(clause).map(normalizeWord));
  const isMeant = (group: string) => {
    const line = tool.description.split('\n').find((one) => one.includes(group)) ?? '';
    const words = wordsOf(`${group} ${line.replace(/^.*?:/, '')}`);
    return words.some((word) => word.length > 3 && spoken.has(normalizeWord(word)));
  };
  return groups.filter(isMeant);
}

function groupNames({ items }: JsonSchema): readonly string[] {
  const options = typeof items === 'object' ? (items.enum ?? []) : [];
  return options.filter((option) => typeof option === 'string');
}

/** The JSON objects that a meta tool has answered, alone or in a list. */
function answersOf(name: string, messages: readonly Message[]): readonly JsonObject[] {
  return callsIn(messages)
    .filter((call) => call.name === name && !call.isError)
    .flatMap(({ content }) => [jsonIn(resultText(content))].flat().filter(isJsonObject));
}
