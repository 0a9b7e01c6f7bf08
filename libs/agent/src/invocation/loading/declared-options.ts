import type { DiscoveredTool } from '../../discovery';
import { optionProblems } from '../../registry';
import { ToolDeclarationError } from '../../tool';

/**
 * Refuses wrong options of `@Tool` and `@Toolkit`.
 *
 * @throws ToolDeclarationError with every problem
 */
export function assertOptions({ source, options, toolkit }: DiscoveredTool): void {
  const problems = [
    ...(toolkit ? optionProblems('toolkit', toolkit).map(inDecorator('Toolkit')) : []),
    ...optionProblems('tool', options).map(inDecorator('Tool')),
  ];
  if (problems.length > 0) throw new ToolDeclarationError(`${source}: ${problems.join('; ')}`);
}

/** `timeoutMs must be …` reads as its author wrote it: `@Tool({ timeoutMs }) must be …`. */
function inDecorator(decorator: string): (problem: string) => string {
  return (problem) => problem.replace(/^(\S+)/, `@${decorator}({ $1 })`);
}
