import { oncePer } from '../../internal';
import { summaryOf } from '../../registry';
import type { Tool } from '../../tool';

/** The size of tools' definitions in a request to a model, in bytes. */
export function definitionBytes(tools: readonly Tool[]): number {
  return tools.reduce((sum, tool) => sum + bytesOf(tool), 0);
}

const bytesOf = oncePer(({ definition: { name, description, input_schema } }: Tool) =>
  jsonBytes({ name, description, input_schema }),
);

/**
 * A list of tools within a number of bytes: names with summaries, else names, else as many names as
 * fit.
 */
export function catalogueText(tools: readonly Tool[], maxBytes: number): string {
  if (tools.length === 0) return '';
  const lines = tools.map(({ definition }) => `${definition.name}: ${summaryOf(definition)}`);
  const full = `\nAll tools:\n${lines.join('\n')}`;
  if (jsonBytes(full) <= maxBytes) return full;
  const names = tools.map(({ definition }) => definition.name);
  const heading = `\n${names.length} tools, among them: `;
  const kept: string[] = [];
  let left = maxBytes - jsonBytes(heading);
  for (const name of names) {
    left -= name.length + 2;
    if (left < 0) break;
    kept.push(name);
  }
  return kept.length === 0 ? '' : `${heading}${kept.join(', ')}`;
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
