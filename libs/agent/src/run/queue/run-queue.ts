/** Milliseconds to wait before a job is delivered again, or `undefined` if the job is done. */
export type JobDelay = number | undefined;

/** One run's work in a queue. It contains no content of the conversation. */
export interface RunJob {
  /** The version of this format. A worker returns jobs of a newer version. */
  readonly v: number;
  /** The run. */
  readonly runId: string;
  /** Its session. */
  readonly sessionId: string;
  /** The name of a further agent; missing for the application's own. */
  readonly agent?: string;
  /** Counts the run's stays in the queue from 1: at the start, and at each continuation. */
  readonly attempt: number;
  /** The caller's claim, encrypted; missing without credentials, and for runs without a request. */
  readonly sealed?: string;
}

/** Receives the jobs of a worker. */
export interface RunWorker {
  /** Milliseconds that a job stays with this worker without a renewal. */
  readonly lockMs: number;
  /**
   * Executes a job. A queue may deliver a job twice, also at the same time: the session's lease
   * decides. If it rejects, the queue delivers the job again after `lockMs`.
   *
   * @param job the job
   * @returns milliseconds after which the job must be delivered again, or `undefined` if it is done
   */
  work(job: RunJob): Promise<JobDelay>;
}

/**
 * Moves runs from the processes that accept requests to those that execute them. The session store
 * decides: a lost job is added again, and a job that is delivered twice takes effect once.
 *
 * @example
 * function options(runs: RunQueue): AgentModuleOptions {
 *   return { runs, limits: { queued: 1_000, queueTimeoutMs: 30_000 } };
 * }
 */
export interface RunQueue {
  /** This process accepts runs (`web`), executes them (`worker`), or both. */
  readonly role: 'web' | 'worker' | 'both';
  /** The maximum of attempts at a model step whose worker dies. */
  readonly maxAttempts: number;
  /** Runs that this process executes at a time, also while the queue is unreachable; 50 by default. */
  readonly concurrency?: number;
  /** How workers become callers; `'none'` if no tool needs credentials. */
  readonly credentials?: RunCredentials | 'none';
  /** Connects and checks the server's settings. */
  open(): Promise<void>;
  /**
   * Starts to deliver jobs to this process.
   *
   * @param worker receives them
   */
  start(worker: RunWorker): void;
  /**
   * Adds a job. Another job of the same run and attempt has no effect.
   *
   * @param job the job
   * @param priority 0 is first; the number of the principal's unfinished runs before this one
   */
  add(job: RunJob, priority: number): Promise<void>;
  /** The given jobs that the queue lacks. */
  missing(jobs: readonly RunJob[]): Promise<readonly RunJob[]>;
  /** Removes a job that no worker executes; no effect if there is none. */
  remove(job: Pick<RunJob, 'runId' | 'attempt'>): Promise<void>;
  /** The number of waiting jobs, including those that were returned with a delay. */
  size(): Promise<number>;
  /** Resolves if the queue takes jobs, as far as it can tell. A queue without this method is always reachable. */
  check?(): Promise<void>;
  /**
   * Stops accepting jobs. Resolves when this process executes none. Jobs returned meanwhile go to
   * other workers at once, whatever their delay.
   */
  drain(): Promise<void>;
  /** Disconnects. Unfinished jobs of this process go to other workers. */
  close(): Promise<void>;
}

/**
 * How a worker becomes the caller of a run. The process of the request passes on a claim; a worker
 * exchanges it for a short-lived credential, which the application's own guards check.
 *
 * @example
 * const credentials: RunCredentials = {
 *   delegate: (request) => (request as { user: { id: string } }).user.id,
 *   redeem: async (claim) => ({
 *     headers: { authorization: `Bearer ${await tokenOf(claim)}` },
 *     expiresAt: new Date(Date.now() + 10 * 60_000),
 *   }),
 *   secrets: [process.env.RUN_SECRET ?? ''],
 * };
 *
 * // Signs a token of ten minutes, as your login does.
 * declare function tokenOf(user: string): Promise<string>;
 */
export interface RunCredentials {
  /**
   * The caller's claim, at most 4 KiB, such as a subject, a tenant and a login version; not a token.
   * Called in the process of the request, after its guards; not for anonymous callers. It has 30 s.
   */
  delegate(request: unknown, run: ClaimedRun): string | Promise<string>;
  /**
   * A new credential of at most 15 minutes for a claim. Called by workers, again when it expires. One
   * minute more is tolerated for clock differences, but not used. An `HttpException` with a status from
   * 400 to 499 refuses the caller for good; after any other error the run stays queued and is retried, as
   * it is if `redeem` and the guards take longer than 30 s.
   */
  redeem(claim: string, run: ClaimedRun): RedeemedCaller | Promise<RedeemedCaller>;
  /** Keys of at least 32 characters: the first encrypts; all decrypt. */
  readonly secrets: readonly [string, ...string[]];
}

/** The run that a claim is for. */
export interface ClaimedRun {
  /** The run. */
  readonly runId: string;
  /** Its session. */
  readonly sessionId: string;
  /** The session's owner; missing for anonymous callers. */
  readonly principal?: string;
}

/** A caller's credential, as headers of a request. */
export interface RedeemedCaller {
  /** Headers such as `authorization`. */
  readonly headers: Readonly<Record<string, string>>;
  /** When the credential expires. */
  readonly expiresAt: Date;
}
