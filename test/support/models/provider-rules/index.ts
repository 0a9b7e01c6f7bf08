export * from './anthropic-output.rules';
export * from './anthropic-tool.rules';
export * from './openai-strict.rules';
export * from './openai-tool.rules';
