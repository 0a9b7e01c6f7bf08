import { Inject, Injectable, Optional } from '@nestjs/common';
import { wildcard } from '../../internal';
import type { Permission, PermissionLevel, Tool } from '../../tool';
import { PERMISSION_OPTIONS } from '../invocation.constants';
import type { PermissionOptions } from './permission-options.interface';

interface Rule {
  readonly pattern: RegExp;
  readonly permission: Permission;
}

/** Finds a tool's permissions, without evaluating permission functions. */
@Injectable()
export class PermissionRules {
  private readonly rules: readonly Rule[];
  private readonly known = new WeakMap<Tool, readonly Permission[]>();

  constructor(
    @Optional() @Inject(PERMISSION_OPTIONS) private readonly options: PermissionOptions = {},
  ) {
    this.rules = Object.entries(options.permissions ?? {}).map(([pattern, permission]) => ({
      pattern: wildcard(pattern),
      permission,
    }));
  }

  /** The names in the options, without patterns. */
  get names(): readonly string[] {
    return Object.keys(this.options.permissions ?? {}).filter((name) => !name.includes('*'));
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
    return explicit.length > 0 ? explicit : [this.options.defaultPermission ?? defaultLevel(tool)];
  }
}

function defaultLevel({ defaultPermission, traits }: Tool): PermissionLevel {
  return traits.destructive ? 'ask' : (defaultPermission ?? 'allow');
}
