import type { DiscoveredTool } from '../../discovery';
import { messageOf } from '../../internal';
import { ToolDeclarationError } from '../../tool';

/** An error while a tool was built, with the tool's place in its message. */
export function named({ source }: Pick<DiscoveredTool, 'source'>, error: unknown): Error {
  if (error instanceof ToolDeclarationError && error.message.includes(source)) return error;
  return new ToolDeclarationError(`${source}: ${messageOf(error)}`, { cause: error });
}

/**
 * Several problems as one error, which lists them all.
 *
 * @param errors at least one
 * @param declared the wrong declarations, in the plural: `tools`
 */
export function allOf(errors: readonly Error[], declared: string): Error {
  const [first] = errors;
  if (first !== undefined && errors.length === 1) return first;
  return new ToolDeclarationError(
    `${errors.length} ${declared} are declared wrongly:\n${errors.map(({ message }) => `- ${message}`).join('\n')}`,
    { cause: new AggregateError(errors) },
  );
}
