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
export type ToolDeclaration = Pick<
  DiscoveredTool,
  'host' | 'methodName' | 'options' | 'toolkit' | 'source'
>;

/** The tool's name, with its toolkit's prefix. @throws ToolDeclarationError */
export function nameOf({ methodName, options, toolkit, source }: ToolDeclaration): string {
  const name = (toolkit?.prefix ?? '') + (options.name ?? methodName);
  assertToolName(name, source);
  return name;
}

/**
 * @param otherwise what describes it where nobody said what it does
 * @throws ToolDeclarationError where nobody said what the tool does
 */
export function describedAs(
  { host, methodName, options, source }: ToolDeclaration,
  otherwise?: string,
): string {
  const description = descriptionOf(host, methodName, options) ?? otherwise;
  if (description !== undefined) return description;
  throw new ToolDeclarationError(
    `${source}: the tool has no description. Give it one with @Tool({ description }) or @ApiOperation({ summary }).`,
  );
}

/** What is known of a tool's results. @throws ToolDeclarationError */
export function outputOf({ host, methodName, options }: ToolDeclaration): {
  readonly definition: Pick<ToolDefinition, 'output_schema'>;
  readonly isOutputDerived: boolean;
} {
  const schema = describeMethodResult(host, methodName, options);
  return {
    definition: schema === undefined ? {} : { output_schema: schema },
    isOutputDerived: schema !== undefined && !declaresResult(host, methodName, options),
  };
}

/** What a tool takes over from its options as it is. */
export function settingsOf({
  host,
  options,
  toolkit,
}: ToolDeclaration): Omit<Tool, 'definition' | 'kind' | 'source' | 'bind' | 'invoke'> {
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
