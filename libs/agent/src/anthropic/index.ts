/**
 * Models of Anthropic. Needs the optional peer `@anthropic-ai/sdk`.
 *
 * @module nestjs-agent/anthropic
 */
export { anthropic, type AnthropicOptions } from './anthropic.model';
