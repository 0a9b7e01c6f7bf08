import type { FileBlock, ImageBlock, ToolResultBlock } from '../../message';
import { mediaLabel } from './media-source';

/** A tool result for a place that holds text alone. */
export interface TextualResult {
  /** One for each block: its text, or a label where a picture or file stood. */
  readonly texts: readonly string[];
  /** The media behind the labels, in their order; the provider's message has it further on. */
  readonly media: readonly (ImageBlock | FileBlock)[];
}

/**
 * What the results say by themselves is told from what stands for something else: text that begins
 * like a label, or like a failed call's, gets `Result: ` in front of it.
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

/** The prefix of a failed call's text, where a provider has no field for that. */
export const FAILED = 'Error: ';

function unmistakable(text: string, isError: boolean): string {
  const isPlain =
    !/^(?:Result: |\[image|\[file)/.test(text) && (isError || !text.startsWith(FAILED));
  return isPlain ? text : `Result: ${text}`;
}

/** Stands before a picture or file that belongs to a result further up. */
export function belongsTo(callId: string): string {
  return `Belongs to the result of call ${callId}:`;
}
