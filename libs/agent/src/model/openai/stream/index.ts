// Converts the chunks of a Chat Completions answer to model events.
export { OpenAiStreamDecoder } from './openai-stream.decoder';
export { THOUGHT_FIELDS, type OpenAiThoughtData } from './openai-thoughts';
export { OpenAiSources } from './openai-sources';
export { type OpenAiDelta } from './openai-chunk';
