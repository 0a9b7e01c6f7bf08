import { wildcard } from '../../internal';
import type { Permission, PermissionLevel, Tool } from '../../tool';
import type { PermissionOptions } from './permission-options.interface';

interface Rule {
  readonly pattern: RegExp;
  readonly permission: Permission;
}

interface RuleSet {
  readonly rules: readonly Rule[];
  readonly defaultPermission?: Permission | undefined;
}

/**
 * Finds a tool's permissions, without evaluating permission functions. What one agent adds to the
 * module's options never makes a tool's permission looser.
 */
export class PermissionRules {
  private readonly sets: readonly RuleSet[];
  private readonly known = new WeakMap<Tool, readonly Permission[]>();

  constructor(private readonly options: readonly PermissionOptions[] = []) {
    this.sets = options.map(({ permissions = {}, defaultPermission }) => ({
      rules: Object.entries(permissions).map(([pattern, permission]) => ({
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
  of(tool: Tool): readonly Permission[] {
    let permissions = this.known.get(tool);
    if (permissions === undefined) {
      permissions = this.collect(tool);
      this.known.set(tool, permissions);
    }
    return permissions;
  }

  /** Whether the tool is denied to every caller, so that it is not offered. */
  isDeniedToAll(tool: Tool): boolean {
    return this.of(tool).includes('deny');
  }

  private collect(tool: Tool): readonly Permission[] {
    const { definition, foreignName = definition.name } = tool;
    const [module = { rules: [] }, ...added] = this.sets;
    const permissionsOf = ({ rules, defaultPermission }: RuleSet): readonly Permission[] => {
      const explicit = rules
        .filter(({ pattern }) => pattern.test(definition.name) || pattern.test(foreignName))
        .map(({ permission }) => permission);
      if (tool.permission !== undefined) explicit.push(tool.permission);
      if (explicit.length > 0) return explicit;
      return defaultPermission === undefined ? [] : [defaultPermission];
    };
    const own = permissionsOf(module);
    return [...(own.length > 0 ? own : [defaultLevel(tool)]), ...added.flatMap(permissionsOf)];
  }
}

function defaultLevel({ defaultPermission, traits }: Tool): PermissionLevel {
  return traits.destructive ? 'ask' : (defaultPermission ?? 'allow');
}
