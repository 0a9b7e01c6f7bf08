/** Injection token of the `ScanOptions` passed to `forRoot`. */
export const SCAN_OPTIONS = Symbol('nestjs-agent:scan-options');

/** The HTTP methods of routes that only read. */
export const READING_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** Injection token of the `ExposedController[]` passed to `forRoot`. */
export const EXPOSED_CONTROLLERS = Symbol('nestjs-agent:exposed-controllers');

/**
 * Metadata key that marks the agent's own controllers. Their routes cannot be tools: the agent
 * would call itself.
 */
export const AGENT_ENDPOINT = Symbol('nestjs-agent:endpoint');
