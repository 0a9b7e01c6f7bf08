import { Logger } from '@nestjs/common';
import {
  strictest,
  type Permission,
  type PermissionLevel,
  type ToolCall,
  type ToolContext,
} from '../../tool';
import { CallInterruptedError, inspectable } from '../call';
import { inTime } from '../stages';
import { thrownText } from '../../internal';
import type { PermissionRules } from './permission-rules';

const LEVELS: ReadonlySet<unknown> = new Set<PermissionLevel>(['allow', 'ask', 'deny']);

/** Decides on one call: the strictest of its tool's permissions. */
export class PermissionResolver {
  private readonly logger = new Logger('ToolPermissions');

  constructor(private readonly rules: PermissionRules) {}

  async resolve(call: ToolCall, ctx: ToolContext): Promise<PermissionLevel> {
    if (call.tool === undefined) return 'deny';
    const levels: PermissionLevel[] = [];
    for (const permission of this.rules.of(call.tool)) {
      const level =
        typeof permission === 'function' ? await this.ask(permission, call, ctx) : permission;
      // An unknown level denies.
      if (level === 'deny' || !LEVELS.has(level)) return 'deny';
      levels.push(level);
    }
    return strictest(levels);
  }

  /** Denies if the function fails, is too slow, or returns an unknown level. */
  private async ask(
    permission: Exclude<Permission, PermissionLevel>,
    call: ToolCall,
    ctx: ToolContext,
  ): Promise<PermissionLevel> {
    try {
      const level: unknown = await inTime(permission(call, ctx), ctx.signal);
      if (LEVELS.has(level)) return level as PermissionLevel;
      this.logger.error(
        `The permission of "${call.name}" answered ${String(level)} instead of allow, ask or deny; the call was denied.`,
      );
    } catch (thrown) {
      const error = inspectable(thrown);
      if (error instanceof CallInterruptedError) throw error;
      this.logger.error(
        `The permission of "${call.name}" failed; the call was denied.`,
        thrownText(error),
      );
    }
    return 'deny';
  }
}
