import { wildcard } from '../../internal';
import type { Tool } from '../../tool';

/**
 * The tools of one agent, by patterns: names in which `*` matches any characters, `group:<name>`
 * and `toolkit:<class>`.
 *
 * @example
 * const tools: ToolSelection = {
 *   include: ['orders_*', 'group:billing', 'toolkit:ReturnsService'],
 *   exclude: ['*_delete'],
 * };
 */
export interface ToolSelection {
  /** The tools that the agent has; all by default. */
  readonly include?: readonly string[];
  /** The tools that it does not have, even if they are included; none by default. */
  readonly exclude?: readonly string[];
}

type Matcher = (tool: Tool) => boolean;

const PREFIXED = /^(group|toolkit):(.*)$/s;

export function selects({ include, exclude = [] }: ToolSelection): Matcher {
  const included = include?.map(matcherOf);
  const excluded = exclude.map(matcherOf);
  return (tool) =>
    (included === undefined || included.some((matches) => matches(tool))) &&
    !excluded.some((matches) => matches(tool));
}

/** The patterns of a selection that match none of these tools. */
export function idlePatterns(
  { include = [], exclude = [] }: ToolSelection,
  tools: readonly Tool[],
): readonly string[] {
  return [...include, ...exclude].filter((pattern) => !tools.some(matcherOf(pattern)));
}

/** A mapped tool matches by both of its names. */
function matcherOf(pattern: string): Matcher {
  const [, kind, name = ''] = PREFIXED.exec(pattern) ?? [];
  const rule = wildcard(kind === undefined ? pattern : name);
  if (kind === 'group') return ({ group }) => group !== undefined && rule.test(group);
  if (kind === 'toolkit') return ({ toolkit }) => toolkit !== undefined && rule.test(toolkit.name);
  return ({ definition, foreignName = definition.name }) =>
    rule.test(definition.name) || rule.test(foreignName);
}
