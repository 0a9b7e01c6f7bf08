import { strictest, type Permission } from '../../../tool';

/** Raises a permission to at least `ask`: the tool has changed since it was allowed. */
export function askingAtLeast(permission: Permission): Permission {
  if (typeof permission !== 'function') return strictest(['ask', permission]);
  return async (call, ctx) => {
    const level = await permission(call, ctx);
    // A value that is no permission level denies, as for an unchanged tool.
    return level === 'allow' ? 'ask' : level;
  };
}
