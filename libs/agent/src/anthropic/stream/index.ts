// An answer of the Messages API: its events, its blocks, and what goes back to the provider as it came.
export { type WholeBlock } from './anthropic-block';
export { isWholeBlock, ownData } from './anthropic-provider-data';
export { hasResults, pairedTools } from './anthropic-provider-tools';
export { AnthropicStreamDecoder } from './anthropic-stream.decoder';
