import { Inject, Injectable, Optional } from '@nestjs/common';
import { wildcard } from '../../internal';
import type { Permission, PermissionLevel, Tool } from '../../tool';
import { PERMISSION_OPTIONS } from '../invocation.constants';
import type { PermissionOptions } from './permission-options.interface';

interface Rule {
  readonly pattern: RegExp;
  readonly permission: Permission;
}

/**
 * Finds a tool's permissions, without evaluating permission functions. Of several options, such as
 * the module's and those of one agent, the strictest apply.
 */
@Injectable()
export class PermissionRules {
  private readonly rules: readonly Rule[];
  private readonly known = new WeakMap<Tool, readonly Permission[]>();

  constructor(
    @Optional()
    @Inject(PERMISSION_OPTIONS)
    private readonly options: readonly PermissionOptions[] = [],
  ) {
    this.rules = options
      .flatMap(({ permissions = {} }) => Object.entries(permissions))
      .map(([pattern, permission]) => ({ pattern: wildcard(pattern), permission }));
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
    const explicit = this.rules
      .filter(({ pattern }) => pattern.test(definition.name) || pattern.test(foreignName))
      .map(({ permission }) => permission);
    if (tool.permission !== undefined) explicit.push(tool.permission);
    if (explicit.length > 0) return explicit;
    const defaults = this.options.flatMap(({ defaultPermission }) => defaultPermission ?? []);
    return defaults.length > 0 ? defaults : [defaultLevel(tool)];
  }
}

function defaultLevel({ defaultPermission, traits }: Tool): PermissionLevel {
  return traits.destructive ? 'ask' : (defaultPermission ?? 'allow');
}
