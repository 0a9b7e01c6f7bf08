/** What a tool does to the world. */
export interface ToolTraits {
  /** Changes nothing. */
  readonly readOnly: boolean;
  /** Removes or overwrites. */
  readonly destructive: boolean;
  /** Twice is as good as once. */
  readonly idempotent: boolean;
  /** May run beside other calls of its step. */
  readonly concurrencySafe: boolean;
  /** Reaches beyond the application and its data, such as the web or another company's service. */
  readonly openWorld: boolean;
}

/** The traits that options declare; what is not declared is not so, and only readers are safe together. */
export function traitsOf(options: Partial<ToolTraits>): ToolTraits {
  const readOnly = options.readOnly ?? false;
  return {
    readOnly,
    destructive: options.destructive ?? false,
    idempotent: options.idempotent ?? false,
    concurrencySafe: options.concurrencySafe ?? readOnly,
    openWorld: options.openWorld ?? false,
  };
}

/** Whether a call may run a second time: it changes nothing, or no more than the first time. */
export function isRepeatable({ readOnly, idempotent }: ToolTraits): boolean {
  return readOnly || idempotent;
}
