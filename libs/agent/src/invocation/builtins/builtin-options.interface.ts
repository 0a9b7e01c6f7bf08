/** The module's `builtins` option: tools that the library brings along. */
export interface BuiltinOptions {
  /** Figures about the process: memory, event loop, open handles. Off by default. */
  readonly diagnostics?: boolean;
}
