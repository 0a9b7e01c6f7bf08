import type { Permission } from '../../tool';

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
