// Which caller may call which tool: allowed, asks, or denied.
export { type PermissionOptions } from './permission-options.interface';
export { type PermissionReason, PermissionRules } from './permission-rules';
export { PermissionResolver } from './permission.resolver';
