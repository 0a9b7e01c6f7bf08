import type { FileBlock, ImageBlock, ToolResultBlock } from '../../message';
import { mediaLabel } from './media-source';

/** A tool result for a field that holds only text. */
interface TextualResult {
  /** One for each block: its text, or a label in place of a picture or file. */
  readonly texts: readonly string[];
  /** The media behind the labels, in order; they follow later in the provider's message. */
  readonly media: readonly (ImageBlock | FileBlock)[];
}

/**
 * Distinguishes a result's own text from labels: text that begins like a label, or like that of a
 * failed call, gets the prefix `Result: `.
 */
export function textualResult({ content, is_error: isError }: ToolResultBlock): TextualResult {
  if (typeof content === 'string') return { texts: [unmistakable(content, isError)], media: [] };
  return {
    texts: content.map((block) =>
      block.type === 'text' ? unmistakable(block.text, isError) : mediaLabel(block),
    ),
    media: content.filter((block) => block.type !== 'text'),
  };
}

/** The prefix of a failed call's text, for providers without a field for failures. */
export const FAILED = 'Error: ';

function unmistakable(text: string, isError: boolean): string {
  const isPlain =
    !/^(?:Result: |\[image|\[file)/.test(text) && (isError || !text.startsWith(FAILED));
  return isPlain ? text : `Result: ${text}`;
}

/** The text before a picture or file that belongs to an earlier result. */
export function belongsTo(callId: string): string {
  return `Belongs to the result of call ${callId}:`;
}
