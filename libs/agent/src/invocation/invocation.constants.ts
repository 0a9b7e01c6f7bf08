/** `ToolDefaults`: the module's `tools` option, defaults filled in. */
export const TOOL_DEFAULTS = Symbol('nestjs-agent:tool-defaults');
/** `readonly PermissionOptions[]`: the module's, and those of the agent. */
export const PERMISSION_OPTIONS = Symbol('nestjs-agent:permission-options');
/** `readonly ToolInterceptor[]`: the module's `toolInterceptors`, instantiated. */
export const TOOL_INTERCEPTORS = Symbol('nestjs-agent:tool-interceptors');
/** Injection token of the `AuditSink` in use; the logger by default. */
export const AUDIT_SINK = Symbol('nestjs-agent:audit-sink');
/** `AuditOptions`. */
export const AUDIT_OPTIONS = Symbol('nestjs-agent:audit-options');
/** Milliseconds that shutdown waits for closing resources such as the audit sink. */
export const CLOSE_WITHIN_MS = Symbol('nestjs-agent:close-within-ms');
/** `BuiltinOptions`: the module's `builtins`. */
export const BUILTIN_OPTIONS = Symbol('nestjs-agent:builtin-options');

/** Injection token of the module's `OfferOptions`. */
export const OFFER_OPTIONS = Symbol('nestjs-agent:offer-options');

/** Injection token of an agent's `AgentSelection`; missing if it has all tools. */
export const TOOL_SELECTION = Symbol('nestjs-agent:tool-selection');

/** Injection token of an agent's `AskTools`: the tools that ask other agents. */
export const ASK_TOOLS = Symbol('nestjs-agent:ask-tools');

/** Injection token of one agent's `ToolCallFactory`. */
export const OWN_CALLS = Symbol('nestjs-agent:own-calls');

/** Injection token of a further agent's calls, for modules that serve one agent by its name. */
export function getCallsToken(agent: string): string {
  return `nestjs-agent:calls:${agent}`;
}
