/** Injection token of the module's `context`: instances injected by type. */
export const CONTEXT_INSTANCES = Symbol('nestjs-agent:context-instances');

/** Injection token of the module's `validation` options. */
export const VALIDATION_OPTIONS = Symbol('nestjs-agent:validation-options');
