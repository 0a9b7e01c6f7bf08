/** Whether a pipe is of a class, or is such a class, which Nest instantiates without options. */
export function isA(pipe: unknown, kind: abstract new (...args: never[]) => unknown): boolean {
  return (
    pipe instanceof kind ||
    (typeof pipe === 'function' && (pipe === kind || pipe.prototype instanceof kind))
  );
}
