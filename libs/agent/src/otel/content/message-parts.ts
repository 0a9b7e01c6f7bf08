import type { ContentBlock, JsonValue, Message, ResultContent } from '../../message';
import { defined } from '../../internal';

/** Changes every captured text. */
export type TextChange = (text: string) => string;

/** A message in the schema of the conventions. */
interface ConventionMessage {
  readonly role: string;
  readonly parts: readonly object[];
  readonly finish_reason?: string;
}

/** @see https://github.com/open-telemetry/semantic-conventions-genai/blob/main/docs/gen-ai/gen-ai-input-messages.json */
export function messageOf({ role, content }: Message, change: TextChange): ConventionMessage {
  const isResult = content.length > 0 && content.every(({ type }) => type === 'tool_result');
  return { role: isResult ? 'tool' : role, parts: partsOf(content, change) };
}

export function partsOf(content: readonly ContentBlock[], change: TextChange): readonly object[] {
  return content.flatMap((block) => partOf(block, change));
}

function partOf(block: ContentBlock, change: TextChange): readonly object[] {
  switch (block.type) {
    case 'text':
    case 'reasoning':
      return [{ type: block.type, content: change(block.text) }];
    case 'tool_use': {
      const { id, name, input } = block;
      return [{ type: 'tool_call', id, name, arguments: changedTexts(input, change) }];
    }
    case 'tool_result': {
      const response = resultOf(block.content, change);
      return [{ type: 'tool_call_response', id: block.tool_use_id, response }];
    }
    case 'provider_tool': {
      const { id, name, input } = block;
      const call = defined({ type: name, arguments: input && changedTexts(input, change) });
      return [{ type: 'server_tool_call', id, name, server_tool_call: call }];
    }
    case 'image':
    case 'file': {
      const { type, mediaType, data } = block;
      return [
        defined({ type, mime_type: mediaType, size: data && Buffer.byteLength(data, 'base64') }),
      ];
    }
    case 'source':
      return [];
  }
}

/** A result: a text as it is, or its parts. */
export function resultOf(content: ResultContent, change: TextChange): string | readonly object[] {
  return typeof content === 'string' ? change(content) : partsOf(content, change);
}

/** Changes the texts within a value; the names of its fields stay. */
export function changedTexts(value: JsonValue, change: TextChange): JsonValue {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item: JsonValue) => changedTexts(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, changedTexts(each, change)]),
  );
}
