import type { ContentBlockParam, ToolResultBlockParam } from '@anthropic-ai/sdk/resources/messages';
import type { ToolResultBlock } from '../../message';
import { belongsTo, textualResult } from '../../model/history';
import { anthropicId } from './anthropic-id';
import { mediaBlock } from './anthropic-media';

type Content = Exclude<ToolResultBlockParam['content'], string | undefined>;

/** The text of a failed call without one. */
const SAID_NOTHING = 'The tool failed and did not say why.';

/** A result in the form that the API accepts. */
export function toolResult(result: ToolResultBlock): ToolResultBlockParam {
  const { is_error: isError, tool_use_id: id } = result;
  const content = isError ? failedContent(result) : listContent(result);
  const block = { type: 'tool_result' as const, tool_use_id: anthropicId(id), content };
  return isError ? { ...block, is_error: true } : block;
}

/** The pictures and files of a failed call; they follow after the results of the message. */
export function attachedBlocks(result: ToolResultBlock): ContentBlockParam[] {
  if (!result.is_error) return [];
  const text = belongsTo(anthropicId(result.tool_use_id));
  return textualResult(result).media.flatMap((block) => [
    { type: 'text' as const, text },
    mediaBlock(block),
  ]);
}

/** A failed call's result must not be empty and may contain only text. */
function failedContent(result: ToolResultBlock): ToolResultBlockParam['content'] {
  if (typeof result.content === 'string') {
    return result.content.trim() === '' ? SAID_NOTHING : result.content;
  }
  const texts = textualResult(result).texts.filter((text) => text.trim() !== '');
  return (texts.length === 0 ? [SAID_NOTHING] : texts).map((text) => ({ type: 'text', text }));
}

function listContent({ content }: ToolResultBlock): ToolResultBlockParam['content'] {
  if (typeof content === 'string') return content;
  return content.flatMap((block): Content => {
    if (block.type !== 'text') return [mediaBlock(block)];
    return block.text.trim() === '' ? [] : [{ type: 'text', text: block.text }];
  });
}
