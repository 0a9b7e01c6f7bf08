import { strictest, type Permission } from '../../../tool';

/** A permission that asks at least: the tool is not the one that was allowed. */
export function askingAtLeast(permission: Permission): Permission {
  if (typeof permission !== 'function') return strictest(['ask', permission]);
  return async (call, ctx) => {
    const level = await permission(call, ctx);
    // Anything but a level denies, as without the change.
    return level === 'allow' ? 'ask' : level;
  };
}
