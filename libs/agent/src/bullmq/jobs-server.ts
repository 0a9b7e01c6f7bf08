import type { Job, Queue, Worker, WorkerOptions } from 'bullmq';

/** The used part of a BullMQ queue, on any server. */
export type JobsQueue = Pick<Queue<unknown>, 'add' | 'remove' | 'getJobCounts'>;

/** The used part of a BullMQ worker. */
export type JobsWorker = Pick<Worker<unknown>, 'close' | 'on' | 'pause' | 'resume'>;

/** Worker options that do not depend on the server. */
export type JobsWorkerOptions = Omit<WorkerOptions, 'connection' | 'prefix'>;

/** Executes a job that this process has locked with a token. */
export type Deliver = (job: Job<unknown>, token?: string) => Promise<void>;

/** A connection to the server that holds the jobs. */
export interface OpenServer {
  readonly queue: JobsQueue;
  startWorker(deliver: Deliver, options: JobsWorkerOptions): JobsWorker;
  /** The given ids that the queue has. */
  present(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Resolves if the server takes jobs, as far as it can be seen without a job. */
  check(): Promise<void>;
  /** Disconnects, even during an outage. */
  close(): Promise<void>;
}

/** A server that holds jobs: Redis or PostgreSQL. */
export interface JobsServer {
  /** Its host and port, for messages; never a password. */
  readonly address: string;
  /**
   * Connects and checks the server's settings.
   *
   * @param onError receives later errors of the connections
   */
  open(onError: (error: unknown) => void): Promise<OpenServer>;
}

/** BullMQ records each change of a job for observers; there are none here. */
export const FEW_EVENTS = { streams: { events: { maxLen: 100 } } };

export const CONNECT_MS = 5_000;
export const COMMAND_MS = 5_000;

/** Host and port of a URL, without its password. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host || 'its socket' : 'the given address';
}
