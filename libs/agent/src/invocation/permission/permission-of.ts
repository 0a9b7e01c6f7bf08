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

const logger = new Logger('ToolPermissions');
const LEVELS: ReadonlySet<unknown> = new Set<PermissionLevel>(['allow', 'ask', 'deny']);

/** The decision on one call: the strictest of its tool's permissions. */
export async function permissionOf(
  call: ToolCall,
  ctx: ToolContext,
  rules: PermissionRules,
): Promise<PermissionLevel> {
  if (call.tool === undefined) return 'deny';
  const levels: PermissionLevel[] = [];
  for (const permission of rules.of(call.tool)) {
    const level = typeof permission === 'function' ? await ask(permission, call, ctx) : permission;
    // An unknown level denies.
    if (level === 'deny' || !LEVELS.has(level)) return 'deny';
    levels.push(level);
  }
  return strictest(levels);
}

/** Denies if the function fails, is too slow, or returns an unknown level. */
async function ask(
  permission: Exclude<Permission, PermissionLevel>,
  call: ToolCall,
  ctx: ToolContext,
): Promise<PermissionLevel> {
  try {
    const level: unknown = await inTime(permission(call, ctx), ctx.signal);
    if (LEVELS.has(level)) return level as PermissionLevel;
    logger.error(
      `The permission of "${call.name}" answered ${String(level)} instead of allow, ask or deny; the call was denied.`,
    );
  } catch (thrown) {
    const error = inspectable(thrown);
    if (error instanceof CallInterruptedError) throw error;
    logger.error(
      `The permission of "${call.name}" failed; the call was denied.`,
      thrownText(error),
    );
  }
  return 'deny';
}
