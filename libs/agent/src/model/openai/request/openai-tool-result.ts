import type {
  ChatCompletionContentPart,
  ChatCompletionToolMessageParam,
} from 'openai/resources/chat/completions';
import type { ToolResultBlock } from '../../../message';
import { belongsTo, FAILED, textualResult } from '../../history';
import { openAiCallId } from './openai-call-id';
import { mediaPart, textList } from './openai-content';
import type { OpenAiQuirks } from '../openai-quirks';

/**
 * A result as a tool message. The protocol has no field for a failed call, so the text reports the
 * failure.
 */
export function toolMessage(
  result: ToolResultBlock,
  quirks: OpenAiQuirks,
): ChatCompletionToolMessageParam {
  const [first = '', ...others] = textualResult(result).texts;
  const texts = [result.is_error ? FAILED + first : first, ...others];
  const isList = typeof result.content !== 'string' && result.content.length > 0;
  return {
    role: 'tool',
    tool_call_id: openAiCallId(result.tool_use_id, quirks),
    content: isList ? textList(texts, '\n', quirks) : texts.join(''),
  };
}

/** A tool message contains only text, so a result's media go to the user's message. */
export function attachedParts(
  result: ToolResultBlock,
  quirks: OpenAiQuirks,
): ChatCompletionContentPart[] {
  const text = belongsTo(openAiCallId(result.tool_use_id, quirks));
  return textualResult(result).media.flatMap((block) => [
    { type: 'text' as const, text },
    mediaPart(block, quirks),
  ]);
}
