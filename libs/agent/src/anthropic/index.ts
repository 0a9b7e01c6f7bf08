export { anthropic, AnthropicModel, type AnthropicOptions } from './anthropic.model';
