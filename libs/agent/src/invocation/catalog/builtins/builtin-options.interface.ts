/**
 * The module's `builtins` option: tools of the library.
 *
 * @example
 * const builtins: BuiltinOptions = { diagnostics: true };
 */
export interface BuiltinOptions {
  /** Tools with figures of the process: memory, event loop, open handles; `false` by default. */
  readonly diagnostics?: boolean;
}
