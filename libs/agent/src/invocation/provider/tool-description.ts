import { defined } from '../../internal';
import { descriptionOf } from '../../decorators';
import type { DiscoveredTool } from '../../discovery';
import { declaresResult, describeMethodResult } from '../../schema';
import {
  assertToolName,
  type Tool,
  ToolDeclarationError,
  type ToolDefinition,
  traitsOf,
} from '../../tool';

/** The declaration of a tool, on a provider or a plain instance. */
export type MethodDeclaration = Pick<
  DiscoveredTool,
  'host' | 'methodName' | 'options' | 'toolkit' | 'source'
>;

/** The tool's name, with its toolkit's prefix. @throws ToolDeclarationError */
export function nameOf({ methodName, options, toolkit, source }: MethodDeclaration): string {
  const name = (toolkit?.prefix ?? '') + (options.name ?? methodName);
  assertToolName(name, source);
  return name;
}

/**
 * @param otherwise the default description
 * @throws ToolDeclarationError without a description
 */
export function describedAs(
  { host, methodName, options, source }: MethodDeclaration,
  otherwise?: string,
): string {
  const description = descriptionOf(host, methodName, options) ?? otherwise;
  if (description !== undefined) return description;
  throw new ToolDeclarationError(
    `${source}: the tool has no description. Give it one with @Tool({ description }) or @ApiOperation({ summary }); a doc comment counts only where the compiler plugin has read the class.`,
  );
}

/**
 * The declared properties of a tool.
 *
 * @param named name, description and input schema of its definition
 * @throws ToolDeclarationError for an invalid output schema
 */
export function outlineOf(
  declaration: MethodDeclaration,
  named: Pick<ToolDefinition, 'name' | 'description' | 'input_schema'>,
): Omit<Tool, 'kind' | 'bind' | 'invoke'> {
  const { host, methodName, options, toolkit, source } = declaration;
  const { permission, visible, offer, timeoutMs, retry, cacheTtlMs, maxResultChars } = options;
  const output_schema = describeMethodResult(host, methodName, options);
  const { name, ...others } = named;
  return defined({
    source,
    isOutputDerived: output_schema !== undefined && !declaresResult(host, methodName, options),
    definition: defined({ name, title: options.title, ...others, output_schema }),
    traits: traitsOf(options),
    group: options.group ?? toolkit?.group,
    toolkit:
      toolkit &&
      defined({
        name: host.name,
        description: toolkit.description,
        instructions: toolkit.instructions,
      }),
    permission,
    visible,
    offer,
    timeoutMs,
    retry,
    cacheTtlMs,
    maxResultChars,
    example: options.examples?.[0],
  });
}
