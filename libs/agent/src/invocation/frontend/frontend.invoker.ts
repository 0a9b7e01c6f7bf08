import { SchemaValidator } from '../../schema';
import {
  InvalidArgumentsError,
  type JsonSchema,
  type Tool,
  type ToolDefinition,
  traitsOf,
} from '../../tool';
import type { Deliveries } from '../call';

/** A tool that the caller executes: in the browser, or in another client. */
export function buildFrontendTool(
  definition: ToolDefinition,
  deliveries: Deliveries,
  timeoutMs: number,
): Tool {
  const validator = new SchemaValidator(boundedSchema(definition.input_schema));
  return {
    definition,
    kind: 'frontend',
    source: `frontendTools.${definition.name}`,
    // Its effects are unknown: it is neither repeated nor run in parallel.
    traits: traitsOf({}),
    permission: 'allow',
    origin: 'client',
    answer: { from: 'frontend', timeoutMs },
    // `Deliveries` applies the timeout: another process may have a result in time.
    timeoutMs: Infinity,
    retry: { maxAttempts: 1 },
    bind(input) {
      const issues = validator.check(input);
      return issues.length > 0
        ? Promise.reject(new InvalidArgumentsError(issues))
        : Promise.resolve(input);
    },
    invoke: ({ context }) => deliveries.take(context.call.id, timeoutMs),
  };
}

/**
 * The part of a client's schema that is checked here. Regular expressions and chains of definitions
 * can take exponential time, and would block all users. A schema with either is reduced to the
 * names and types of the arguments; the client checks the rest.
 */
function boundedSchema(schema: JsonSchema): JsonSchema {
  if (!mayTakeForEver(schema)) return schema;
  const { type, required, properties = {}, additionalProperties, patternProperties } = schema;
  const isClosed = additionalProperties === false && patternProperties === undefined;
  return {
    ...(type !== undefined && { type }),
    ...(required && { required }),
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, { type: kind }]) => [
        name,
        kind ? { type: kind } : {},
      ]),
    ),
    ...(isClosed && { additionalProperties }),
  };
}

const REFERENCE = /^\$(?:dynamic|recursive)?ref$/i;

function mayTakeForEver(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  return Object.entries(schema).some(
    ([key, value]) =>
      (typeof value === 'string' && (key === 'pattern' || REFERENCE.test(key))) ||
      key === 'patternProperties' ||
      mayTakeForEver(value),
  );
}
