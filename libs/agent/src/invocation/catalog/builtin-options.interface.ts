/**
 * The module's `builtins` option: tools that the library brings along.
 *
 * @example
 * const builtins: BuiltinOptions = { diagnostics: true };
 */
export interface BuiltinOptions {
  /**
   * Tools that tell figures about the process: memory, event loop, open handles; `false` by
   * default.
   */
  readonly diagnostics?: boolean;
}
