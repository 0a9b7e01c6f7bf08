import type { ContentBlock, Message } from '../../message';

/** Providers bill a picture by its size; this is the cost of a common one. */
const MEDIA_TOKENS = 1_000;
/** Role and separators. */
const MESSAGE_TOKENS = 4;
/** Ids and the frame of a call or result. */
const CALL_TOKENS = 12;

/** The size of a message: texts to count, and a fixed number of tokens for the rest. */
interface MessageSize {
  readonly texts: readonly string[];
  readonly fixedTokens: number;
}

export function sizeOf({ content }: Message): MessageSize {
  const sizes = content.map(blockSize);
  return {
    texts: sizes.flatMap(({ texts }) => texts),
    fixedTokens: sizes.reduce((sum, { fixedTokens }) => sum + fixedTokens, MESSAGE_TOKENS),
  };
}

function blockSize(block: ContentBlock): MessageSize {
  switch (block.type) {
    case 'text':
    case 'reasoning':
      return { texts: [block.text], fixedTokens: 0 };
    case 'tool_use': {
      const input = block.malformedInput ?? JSON.stringify(block.input);
      return { texts: [block.name, input], fixedTokens: CALL_TOKENS };
    }
    case 'tool_result': {
      const { content } = block;
      if (typeof content === 'string') return { texts: [content], fixedTokens: CALL_TOKENS };
      const sizes = content.map(blockSize);
      return {
        texts: sizes.flatMap(({ texts }) => texts),
        fixedTokens: sizes.reduce((sum, { fixedTokens }) => sum + fixedTokens, CALL_TOKENS),
      };
    }
    case 'image':
    case 'file':
      return { texts: [], fixedTokens: MEDIA_TOKENS };
    case 'source':
      return { texts: [], fixedTokens: 0 };
    case 'provider_tool':
      return { texts: [JSON.stringify(block.providerData ?? '')], fixedTokens: CALL_TOKENS };
  }
}
