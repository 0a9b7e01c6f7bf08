/** `ToolDefaults`: the module's `tools` option, defaults filled in. */
export const TOOL_DEFAULTS = Symbol('nestjs-agent:tool-defaults');
/** `readonly ToolInterceptor[]`: the module's `toolInterceptors`, instantiated. */
export const TOOL_INTERCEPTORS = Symbol('nestjs-agent:tool-interceptors');
/** Injection token of the `AuditSink` in use; the logger by default. */
export const AUDIT_SINK = Symbol('nestjs-agent:audit-sink');
export const AUDIT_OPTIONS = Symbol('nestjs-agent:audit-options');
/** Milliseconds that shutdown waits for closing resources such as the audit sink. */
export const CLOSE_WITHIN_MS = Symbol('nestjs-agent:close-within-ms');
/** `BuiltinOptions`: the module's `builtins`. */
export const BUILTIN_OPTIONS = Symbol('nestjs-agent:builtin-options');

/** Injection token of a further agent's calls, for modules that serve one agent by its name. */
export function getCallsToken(agent: string): string {
  return `nestjs-agent:calls:${agent}`;
}

/** Characters to show of an unknown tool's name, which the model made up. */
export const SHOWN_NAME_CHARS = 100;
