// An answer of the Messages API: its events, its blocks, and the data to send back unchanged.
export { type WholeBlock } from './anthropic-block';
export { isWholeBlock, ownData } from './anthropic-provider-data';
export { hasResults, pairedTools } from './anthropic-provider-tools';
export { AnthropicStreamDecoder } from './anthropic-stream.decoder';
