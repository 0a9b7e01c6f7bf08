import { SchemaValidator } from '../schema';
import { InvalidArgumentsError, type Tool, type ToolDefinition } from '../tool';
import type { Deliveries } from './deliveries';

/** A tool that the caller carries out: in the browser, or in a client of its own. */
export function buildFrontendTool(
  definition: ToolDefinition,
  deliveries: Deliveries,
  timeoutMs: number,
): Tool {
  const validator = new SchemaValidator(definition.input_schema);
  return {
    definition,
    kind: 'frontend',
    source: `frontendTools.${definition.name}`,
    // Nothing is known of what it does: it is neither repeated nor run beside others.
    traits: { readOnly: false, destructive: false, idempotent: false, concurrencySafe: false },
    permission: 'allow',
    isAnsweredByCaller: true,
    timeoutMs,
    retry: { maxAttempts: 1 },
    bind(input) {
      const issues = validator.check(input);
      return issues.length > 0
        ? Promise.reject(new InvalidArgumentsError(issues))
        : Promise.resolve(input);
    },
    invoke: ({ context }) => deliveries.take(context.call.id),
  };
}
