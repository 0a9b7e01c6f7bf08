// Loaded with the first tool, since the checks load valibot.
import {
  aFunction,
  anything,
  count,
  flag,
  listOf,
  notNegative,
  oneOf,
  optionsOf,
  permission,
  positive,
  problemsOf,
  retryOptions,
} from '../../checks';
import type { DiscoveredTool } from '../../discovery';
import { ToolDeclarationError, type ToolkitOptions, type ToolOptions } from '../../tool';

// Names, descriptions, schemas and methods have checks of their own, which know the tool.
const TOOL = optionsOf<ToolOptions>({
  name: anything,
  description: anything,
  title: anything,
  group: anything,
  readOnly: flag,
  destructive: flag,
  idempotent: flag,
  openWorld: flag,
  permission,
  visible: aFunction,
  offer: oneOf('always', 'guarded'),
  method: anything,
  timeoutMs: positive,
  retry: retryOptions,
  cacheTtlMs: notNegative,
  maxResultChars: count,
  concurrencySafe: flag,
  input: anything,
  output: anything,
  examples: listOf(anything),
});

const TOOLKIT = optionsOf<ToolkitOptions>({
  description: anything,
  prefix: anything,
  group: anything,
  context: listOf(anything),
  instructions: anything,
});

/**
 * Refuses options that do not exist and values that they do not take: not every build checks types,
 * and a misspelt `permission` would leave a tool unguarded.
 *
 * @throws ToolDeclarationError with every problem
 */
export function assertOptions({ source, options, toolkit }: DiscoveredTool): void {
  const problems = [
    ...(toolkit ? problemsOf(TOOLKIT, toolkit, '').map(inDecorator('Toolkit')) : []),
    ...problemsOf(TOOL, options, '').map(inDecorator('Tool')),
  ];
  if (problems.length > 0) throw new ToolDeclarationError(`${source}: ${problems.join('; ')}`);
}

/** `.timeoutMs must be …` reads as its author wrote it: `@Tool({ timeoutMs }) must be …`. */
function inDecorator(decorator: string): (problem: string) => string {
  return (problem) => problem.replace(/^\.(\S+)/, `@${decorator}({ $1 })`);
}
