/**
 * The caller of a workbench.
 *
 * @example
 * const isDeveloper = ({ principal }: WorkbenchContext): boolean => principal === 'ada';
 */
export interface WorkbenchContext {
  /** The logged-in user's id; missing for anonymous callers. */
  readonly principal?: string;
  /** The request, after its guards. */
  readonly request: unknown;
}

/**
 * The workbench: whether it is served, who sees all tools on it, and which evaluations it runs.
 *
 * @example
 * const workbench: WorkbenchOptions = {
 *   when: 'development',
 *   all: ({ principal }) => principal === 'ada',
 *   evals: 'agent.evals.json',
 * };
 */
export interface WorkbenchOptions {
  /**
   * Whether it is served; `true` by default. `'development'`: unless `NODE_ENV` is `production`.
   */
  readonly when?: boolean | 'development';
  /**
   * Whether a caller sees all tools, those that it may not use included; by default no caller does. It
   * shows definitions only: calls and runs stay the caller's own.
   */
  readonly all?: (ctx: WorkbenchContext) => boolean | Promise<boolean>;
  /**
   * A file of evaluations of the agent, JSON or YAML, from the working directory; none by default.
   * Further agents name their own in `forFeature`. Each caller of the workbench may read it and run its cases with its own rights.
   */
  readonly evals?: string;
}

/** Whether the workbench is served. */
export function servesWorkbench(
  workbench: boolean | 'development' | WorkbenchOptions = false,
): boolean {
  const when = typeof workbench === 'object' ? (workbench.when ?? true) : workbench;
  return when === 'development' ? process.env['NODE_ENV'] !== 'production' : when;
}
