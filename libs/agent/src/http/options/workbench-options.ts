/**
 * The caller of a workbench.
 *
 * @experimental
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
 * The workbench: whether it is served, which callers see all tools on it, and its evaluations.
 *
 * @experimental
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
   * Whether a caller sees all tools, including those that it may not use; by default no caller does.
   * Only definitions are shown: callers see no calls and runs of others.
   */
  readonly all?: (ctx: WorkbenchContext) => boolean | Promise<boolean>;
  /**
   * A file of evaluations of the agent, JSON or YAML, relative to the working directory; none by
   * default. Further agents name their own in `forFeature`. Each caller of the workbench may read it,
   * and run its cases with the caller's own rights.
   */
  readonly evals?: string;
}

export function servesWorkbench(
  workbench: boolean | 'development' | WorkbenchOptions = false,
): boolean {
  const when = typeof workbench === 'object' ? (workbench.when ?? true) : workbench;
  return when === 'development' ? process.env['NODE_ENV'] !== 'production' : when;
}
