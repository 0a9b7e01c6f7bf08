/** What a tool does to the world. */
export interface ToolTraits {
  readonly readOnly: boolean;
  readonly destructive: boolean;
  readonly idempotent: boolean;
  /** May run beside other calls of its step. */
  readonly concurrencySafe: boolean;
}

/** The traits that options declare; what is not declared is not so, and only readers are safe together. */
export function traitsOf(options: Partial<ToolTraits>): ToolTraits {
  const readOnly = options.readOnly ?? false;
  return {
    readOnly,
    destructive: options.destructive ?? false,
    idempotent: options.idempotent ?? false,
    concurrencySafe: options.concurrencySafe ?? readOnly,
  };
}
