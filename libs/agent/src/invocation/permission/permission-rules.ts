import { oncePer, wildcard } from '../../internal';
import type { Permission, Tool } from '../../tool';

/**
 * The module's permission options.
 *
 * @example
 * const options: PermissionOptions = {
 *   permissions: { 'delete_*': 'ask', drop_database: 'deny' },
 *   defaultPermission: 'allow',
 * };
 */
export interface PermissionOptions {
  /**
   * Permissions by tool name or pattern, in which `*` matches any characters; none by default. The
   * strictest of all matching permissions applies, including the tool's own. A mapped tool matches
   * by both of its names. The boot log warns of names without a tool.
   */
  readonly permissions?: Readonly<Record<string, Permission>>;
  /**
   * The permission of tools without a decorator's or a matching one. By default, writing routes and
   * destructive tools ask, and all others are allowed.
   */
  readonly defaultPermission?: Permission;
}

interface Rule {
  /** As it is written. */
  readonly name: string;
  readonly pattern: RegExp;
  readonly permission: Permission;
}

interface RuleSet {
  readonly rules: readonly Rule[];
  readonly defaultPermission?: Permission | undefined;
}

/** One of a tool's permissions, and where it is from. */
export interface PermissionReason {
  /** The tool's declaration, an entry of `permissions`, or a default. */
  readonly from: string;
  readonly permission: Permission;
}

/**
 * Finds a tool's permissions, without evaluating permission functions. An agent's own options never
 * make a permission less strict than the module's.
 */
export class PermissionRules {
  private readonly sets: readonly RuleSet[];

  constructor(private readonly options: readonly PermissionOptions[] = []) {
    this.sets = options.map(({ permissions = {}, defaultPermission }) => ({
      rules: Object.entries(permissions).map(([pattern, permission]) => ({
        name: pattern,
        pattern: wildcard(pattern),
        permission,
      })),
      defaultPermission,
    }));
  }

  /** The names in the last options, without patterns. */
  get names(): readonly string[] {
    const { permissions = {} } = this.options.at(-1) ?? {};
    return Object.keys(permissions).filter((name) => !name.includes('*'));
  }

  /** The decorator's permission and all matching rules, or else the default. */
  readonly of = oncePer((tool: Tool): readonly Permission[] =>
    this.reasonsOf(tool).map(({ permission }) => permission),
  );

  /** Whether the tool is denied to every caller, so that it is not offered. */
  isDeniedToAll(tool: Tool): boolean {
    return this.of(tool).includes('deny');
  }

  /** As `of`, with the place of each permission. */
  reasonsOf(tool: Tool): readonly PermissionReason[] {
    const { definition, foreignName = definition.name } = tool;
    const [module = { rules: [] }, ...added] = this.sets;
    const reasonsIn = ({ rules, defaultPermission }: RuleSet): readonly PermissionReason[] => {
      const explicit = rules
        .filter(({ pattern }) => pattern.test(definition.name) || pattern.test(foreignName))
        .map(({ name, permission }) => ({ from: `permissions: '${name}'`, permission }));
      if (tool.permission !== undefined) {
        explicit.push({ from: 'its declaration', permission: tool.permission });
      }
      if (explicit.length > 0) return explicit;
      return defaultPermission === undefined
        ? []
        : [{ from: 'defaultPermission', permission: defaultPermission }];
    };
    const own = reasonsIn(module);
    return [...(own.length > 0 ? own : [defaultReason(tool)]), ...added.flatMap(reasonsIn)];
  }
}

function defaultReason({ defaultPermission = 'allow', traits }: Tool): PermissionReason {
  if (traits.destructive) return { from: 'a destructive tool asks by default', permission: 'ask' };
  const from =
    defaultPermission === 'ask' ? 'a writing route asks by default' : 'the default of its kind';
  return { from, permission: defaultPermission };
}
