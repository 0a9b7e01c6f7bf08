import { ToolDeclarationError, toToolName, type Tool, type ToolkitOptions } from '../../tool';
import { isFilled } from '../key-problems';
import { optionProblems } from '../option-problems';

/**
 * Run-time tools that come, change and go together, for `ToolRegistry.registerToolkit`.
 *
 * @example
 * const github: RuntimeToolkit = {
 *   name: 'github',
 *   description: 'Issues and pull requests',
 *   prefix: 'github_',
 *   group: 'code',
 *   tools: [
 *     defineTool({ name: 'list_issues', description: 'List open issues', execute: () => [] }),
 *   ],
 * };
 */
export interface RuntimeToolkit extends Omit<ToolkitOptions, 'context'> {
  /** Unique; `replaceToolkit` and `unregisterToolkit` find the toolkit by it. */
  readonly name: string;
  /** Its tools, as `defineTool` makes them; none by default. */
  readonly tools?: readonly Tool[];
}

function assertToolkit(toolkit: RuntimeToolkit): void {
  const { name, description } = toolkit;
  if (typeof name !== 'string' || name === '') {
    throw new ToolDeclarationError('A toolkit needs a name.');
  }
  if (!isFilled(description)) {
    throw new ToolDeclarationError(`Toolkit "${name}": a toolkit needs a description.`);
  }
  const problems = optionProblems('runtimeToolkit', toolkit);
  if (problems.length > 0) {
    throw new ToolDeclarationError(`Toolkit "${name}": ${problems.join('; ')}.`);
  }
}

/**
 * A toolkit's tools with its common options, as with `@Toolkit`.
 *
 * @throws ToolDeclarationError if the name or the description is missing, or an option is wrong
 */
export function toolsOfToolkit(toolkit: RuntimeToolkit): readonly Tool[] {
  assertToolkit(toolkit);
  const { name, description, prefix = '', instructions, tools = [] } = toolkit;
  const summary = { name, description, ...(instructions !== undefined && { instructions }) };
  return tools.map((tool) => {
    const group = tool.group ?? toolkit.group;
    const { definition, foreignName = definition.name } = tool;
    const full = toToolName(prefix + foreignName);
    return {
      ...tool,
      definition: { ...definition, name: full },
      source: `${tool.source} of toolkit "${name}"`,
      toolkit: summary,
      ...(group !== undefined && { group }),
      ...(full !== prefix + foreignName && { foreignName: prefix + foreignName }),
    };
  });
}
