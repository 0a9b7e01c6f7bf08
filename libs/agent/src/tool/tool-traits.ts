/** The effects of a tool. */
export interface ToolTraits {
  /** Changes nothing. */
  readonly readOnly: boolean;
  /** Removes or overwrites data. */
  readonly destructive: boolean;
  /** Repeating the call has no further effect. */
  readonly idempotent: boolean;
  /** May run concurrently with other calls of its step. */
  readonly concurrencySafe: boolean;
  /** Replaces existing data, like PUT and PATCH routes; hosts receive this. Missing for `false`. */
  readonly overwrites?: boolean;
  /** Reaches beyond the application and its data, such as the web or another company's service. */
  readonly openWorld: boolean;
}

/**
 * The traits from options; undeclared traits are `false`, except that read-only tools are
 * concurrency-safe.
 */
export function traitsOf(options: Partial<ToolTraits>): ToolTraits {
  const readOnly = options.readOnly ?? false;
  return {
    readOnly,
    destructive: options.destructive ?? false,
    idempotent: options.idempotent ?? false,
    concurrencySafe: options.concurrencySafe ?? readOnly,
    openWorld: options.openWorld ?? false,
    ...(options.overwrites === true && { overwrites: true }),
  };
}

/** Whether a call may run a second time: if it is read-only or idempotent, unless the tool overrides it. */
export function isRepeatable(tool: {
  readonly traits: ToolTraits;
  readonly isRepeatable?: boolean;
}): boolean {
  return tool.isRepeatable ?? (tool.traits.readOnly || tool.traits.idempotent);
}
