import type { Permission } from '../../tool';

/**
 * The module's options on what the agent may do without asking.
 *
 * @example
 * const options: PermissionOptions = {
 *   permissions: { 'delete_*': 'ask', drop_database: 'deny' },
 *   defaultPermission: 'allow',
 * };
 */
export interface PermissionOptions {
  /**
   * By a tool's name, or by a pattern in which `*` stands for any characters; none by default. Of
   * all that fit, and what the tool itself says, the strictest wins. A tool whose name was mapped is
   * meant by both of its names. The boot log warns of a name that no tool has.
   */
  readonly permissions?: Readonly<Record<string, Permission>>;
  /**
   * What holds where neither a decorator nor `permissions` speaks of a tool. Without it, writing
   * routes and destructive tools ask and everything else is allowed.
   */
  readonly defaultPermission?: Permission;
}
