import { firstChars } from '../internal';
import type { ToolDefinition } from '../tool';

const LONGEST = 100;

/** The first sentence of a tool's description, on one line. */
export function summaryOf(definition: Pick<ToolDefinition, 'description'>): string {
  const line = definition.description.replace(/\s+/g, ' ').trim();
  const sentence = /^(.+?[.!?])(?:\s|$)/.exec(line)?.[1] ?? line;
  return sentence.length <= LONGEST ? sentence : `${firstChars(sentence, LONGEST - 1).trimEnd()}…`;
}
