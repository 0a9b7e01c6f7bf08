import { SchemaValidator } from '../../schema';
import {
  InvalidArgumentsError,
  type JsonSchema,
  type Tool,
  type ToolDefinition,
  traitsOf,
} from '../../tool';
import type { Deliveries } from '../call';

/** A tool that the caller carries out: in the browser, or in a client of its own. */
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
    // Nothing is known of what it does: it is neither repeated nor run beside others.
    traits: traitsOf({}),
    permission: 'allow',
    origin: 'client',
    answer: { from: 'frontend', timeoutMs },
    // Deliveries keep the time: in some process a result may count when it is over.
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
 * What of a client's schema is checked here. A regular expression of a stranger's can take for ever
 * on a text of a few characters, and so can definitions of which each is reached twice from the one
 * before, and everybody would wait: with either in it, only the names and types of the arguments are
 * checked, and the rest is left to the client, whose tool it is.
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
