import { Inject, Injectable, Optional } from '@nestjs/common';
import type { Permission, PermissionLevel, Tool } from '../../tool';
import { PERMISSION_OPTIONS } from '../invocation.constants';
import type { PermissionOptions } from './permission-options.interface';

interface Rule {
  readonly pattern: RegExp;
  readonly permission: Permission;
}

/** Which permissions speak of a tool. Pure: asking the functions among them is the resolver's. */
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

  /** The names that the options give as a whole; a pattern may well be there for tools to come. */
  get names(): readonly string[] {
    return Object.keys(this.options.permissions ?? {}).filter((name) => !name.includes('*'));
  }

  /** The decorator's and every matching rule's; where there is none, the default. */
  of(tool: Tool): readonly Permission[] {
    let permissions = this.known.get(tool);
    if (permissions === undefined) {
      permissions = this.collect(tool);
      this.known.set(tool, permissions);
    }
    return permissions;
  }

  /** Whether nobody may ever use the tool, so that it is not even offered. */
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

function wildcard(pattern: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`);
}
