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

/** The part of a discovered tool that a tool on a plain instance has too. */
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
 * @param otherwise what describes it where nobody said what it does
 * @throws ToolDeclarationError where nobody said what the tool does
 */
export function describedAs(
  { host, methodName, options, source }: MethodDeclaration,
  otherwise?: string,
): string {
  const description = descriptionOf(host, methodName, options) ?? otherwise;
  if (description !== undefined) return description;
  throw new ToolDeclarationError(
    `${source}: the tool has no description. Give it one with @Tool({ description }) or @ApiOperation({ summary }).`,
  );
}

/**
 * All of a tool that its declaration tells.
 *
 * @param defined what was found out for its definition
 * @throws ToolDeclarationError where its output is declared wrongly
 */
export function outlineOf(
  declaration: MethodDeclaration,
  defined: Pick<ToolDefinition, 'name' | 'description' | 'input_schema'>,
): Omit<Tool, 'kind' | 'bind' | 'invoke'> {
  const { host, methodName, options, source } = declaration;
  const { name, description, input_schema } = defined;
  const output_schema = describeMethodResult(host, methodName, options);
  return {
    ...settingsOf(declaration),
    source,
    isOutputDerived: output_schema !== undefined && !declaresResult(host, methodName, options),
    definition: {
      name,
      ...(options.title !== undefined && { title: options.title }),
      description,
      input_schema,
      ...(output_schema !== undefined && { output_schema }),
    },
  };
}

/** What a tool takes over from its options as it is. */
function settingsOf({
  host,
  options,
  toolkit,
}: MethodDeclaration): Omit<Tool, 'definition' | 'kind' | 'source' | 'bind' | 'invoke'> {
  const group = options.group ?? toolkit?.group;
  const { permission, visible, offer, timeoutMs, retry, cacheTtlMs, maxResultChars } = options;
  return {
    traits: traitsOf(options),
    ...(group !== undefined && { group }),
    ...(toolkit && {
      toolkit: {
        name: host.name,
        description: toolkit.description,
        ...(toolkit.instructions !== undefined && { instructions: toolkit.instructions }),
      },
    }),
    ...(permission !== undefined && { permission }),
    ...(visible && { visible }),
    ...(offer && { offer }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(retry && { retry }),
    ...(cacheTtlMs !== undefined && { cacheTtlMs }),
    ...(maxResultChars !== undefined && { maxResultChars }),
    ...(options.examples?.[0] && { example: options.examples[0] }),
  };
}
