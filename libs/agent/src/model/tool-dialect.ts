import type { ToolDefinition } from '../tool';

/** A tool in the form that the models of one provider receive. */
export interface ToolDialect {
  /** The provider, or `declared` for the tool as declared. */
  readonly provider: 'declared' | 'openai' | 'openai-compatible' | 'anthropic';
  readonly definition: unknown;
  /** Why OpenAI's strict mode does not accept the schema; missing if it does. */
  readonly notStrict?: string;
}

/** A tool in the form of each provider, by the same functions that write their requests. */
export function toolDialectsOf(tool: ToolDefinition): readonly ToolDialect[] {
  const { dialectsOf } = require('./tool-dialects') as typeof import('./tool-dialects');
  return dialectsOf(tool);
}
