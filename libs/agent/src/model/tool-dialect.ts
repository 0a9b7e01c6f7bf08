import type { ToolDefinition } from '../tool';

/** A tool as the models of one provider are told of it. */
export interface ToolDialect {
  /** Who is told so. */
  readonly provider: 'declared' | 'openai' | 'openai-compatible' | 'anthropic';
  readonly definition: unknown;
  /** Why OpenAI's strict mode does not take the schema, where that is so. */
  readonly notStrict?: string;
}

/** A tool in the form of each provider, by the same functions that write their requests. */
export function toolDialectsOf(tool: ToolDefinition): readonly ToolDialect[] {
  const { dialectsOf } = require('./tool-dialects') as typeof import('./tool-dialects');
  return dialectsOf(tool);
}
