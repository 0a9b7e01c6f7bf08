// Which caller may call which tool: allowed, asks, or denied.
export { type PermissionOptions, type PermissionReason, PermissionRules } from './permission-rules';
export { permissionOf } from './permission-of';
