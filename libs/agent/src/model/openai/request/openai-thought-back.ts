import { isJsonObject, type JsonObject, type ReasoningBlock } from '../../../message';
import type { OpenAiQuirks } from '../openai-quirks';
import { THOUGHT_FIELDS, type OpenAiThoughtData } from '../stream';

/** The thoughts to send back to a service, beside an assistant message's text and calls. */
export function thoughtFields(
  thoughts: readonly ReasoningBlock[],
  provider: string,
  quirks: OpenAiQuirks,
): JsonObject {
  const data = thoughts.map((thought) => dataOf(thought, provider));
  const fields = Object.assign({}, ...data.map((each) => each?.fields)) as JsonObject;
  // The details contain the text as well.
  if ('reasoning_details' in fields) return fields;
  const text = thoughts.map((thought) => thought.text).join('');
  const written = data.find((each) => each?.field !== undefined)?.field;
  const wanted = quirks.reasoningBack === 'think_tags' ? undefined : quirks.reasoningBack;
  const field = wanted ?? THOUGHT_FIELDS.find((name) => name === written);
  // DeepSeek and Kimi demand the field in every answer, also in one that began without a thought.
  if (wanted === 'reasoning_content') return { ...fields, [wanted]: text };
  if (field === undefined || text === '') return fields;
  const own = thoughts.filter((thought) => dataOf(thought, provider)?.field !== undefined);
  const back = wanted === undefined ? own.map((thought) => thought.text).join('') : text;
  return { ...fields, [field]: back };
}

/** A thought as a part of the content, if its service writes it that way. */
export function thoughtPart(thought: ReasoningBlock, provider: string): JsonObject | undefined {
  const part = dataOf(thought, provider)?.part;
  return part && { ...part, thinking: [{ type: 'text', text: thought.text }] };
}

function dataOf({ providerData }: ReasoningBlock, provider: string): OpenAiThoughtData | undefined {
  const data = providerData?.[provider];
  return isJsonObject(data) ? data : undefined;
}
