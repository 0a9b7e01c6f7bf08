// A request to the Messages API: messages, tools, output and cache marks.
export { toAnthropicRequest } from './anthropic-request';
export { anthropicInputOf } from './anthropic-tool';
