import {
  estimatedUsage,
  resultText,
  type ContentBlock,
  type Message,
  type Usage,
} from '../../message';
import type { ModelRequest } from '../../model';
import { toolText } from '../../tool';

/** English text has about four characters per token; three is a cautious estimate. */
const CHARS_PER_TOKEN = 3;

/** A cautious estimate, for providers that report no usage. */
export function estimateUsage(
  request: Pick<ModelRequest, 'system' | 'messages' | 'tools'>,
  answer: readonly ContentBlock[],
): Usage {
  const tokens = (chars: number): number => Math.ceil(chars / CHARS_PER_TOKEN);
  const inputTokens = tokens(
    (request.system?.length ?? 0) +
      request.messages.reduce((sum, message) => sum + charsOf(message), 0) +
      toolText(request.tools).length,
  );
  const outputTokens = tokens(charsOf({ content: answer }));
  return estimatedUsage(inputTokens, outputTokens);
}

function charsOf({ content }: Pick<Message, 'content'>): number {
  return content.reduce((sum, block) => {
    switch (block.type) {
      case 'text':
      case 'reasoning':
        return sum + block.text.length;
      case 'tool_use':
        return sum + block.name.length + JSON.stringify(block.input).length;
      case 'tool_result':
        return sum + resultText(block.content).length;
      case 'image':
      case 'file':
        return sum + (block.data?.length ?? block.url?.length ?? 0);
      case 'source':
      case 'provider_tool':
        return sum;
    }
  }, 0);
}
