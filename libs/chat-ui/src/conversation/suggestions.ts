import type { JsonValue, ToolDetail, ToolSummary } from '../wire';

const COUNT = 4;
const LONGEST = 80;

/** The tools to suggest: read-only ones first, and of those the application's own routes. */
export function suggestedTools(tools: readonly ToolSummary[]): readonly ToolSummary[] {
  return tools
    .filter(({ kind }) => kind === 'route' || kind === 'provider')
    .map((tool, index) => ({ tool, index }))
    .sort((a, b) => rankOf(a.tool) - rankOf(b.tool) || a.index - b.index)
    .slice(0, COUNT)
    .map(({ tool }) => tool);
}

/** A message that has a tool called: the start of its description, with an example's values. */
export function suggestionOf({ description, input_schema, requestExample }: ToolDetail): string {
  const [clause = description] = description.trim().split(/[.:;,\n]|\s\(/);
  const text = clause.length > LONGEST ? `${clause.slice(0, LONGEST - 1).trimEnd()}…` : clause;
  const required = Array.isArray(input_schema.required) ? input_schema.required : [];
  const values = required
    .map((name) => requestExample[String(name)])
    .filter((value) => isWord(value));
  return values.length === 0 ? text : `${text}: ${values.join(', ')}`;
}

function rankOf({ readOnly, destructive, kind }: ToolSummary): number {
  const risk = readOnly ? 0 : destructive ? 2 : 1;
  return risk * 2 + (kind === 'route' ? 0 : 1);
}

function isWord(value: JsonValue | undefined): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}
