import type { JsonSchema } from './json-schema';

/**
 * A tool as every part of the library knows it. Adapters convert it for their provider and leave
 * `output_schema` out.
 */
export interface ToolDefinition {
  /** Matches `/^[a-zA-Z0-9_]{1,64}$/`. */
  readonly name: string;
  readonly description: string;
  /** `type` is `object`; unknown keys are refused. */
  readonly input_schema: JsonSchema;
  readonly output_schema?: JsonSchema;
}
