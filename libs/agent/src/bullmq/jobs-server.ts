import type { Job, Queue, Worker, WorkerOptions } from 'bullmq';

/** What is used of a BullMQ queue, whichever server holds it. */
export type JobsQueue = Pick<Queue<unknown>, 'add' | 'remove' | 'getJobCounts'>;

/** What is used of a BullMQ worker. */
export type JobsWorker = Pick<Worker<unknown>, 'close' | 'on' | 'pause' | 'resume'>;

/** Options of a worker that do not depend on the server. */
export type JobsWorkerOptions = Omit<WorkerOptions, 'connection' | 'prefix'>;

/** Executes a job that this process holds under a token. */
export type Deliver = (job: Job<unknown>, token?: string) => Promise<void>;

/** A connection to the server that holds the jobs. */
export interface OpenServer {
  readonly queue: JobsQueue;
  /** Begins to deliver jobs. */
  startWorker(deliver: Deliver, options: JobsWorkerOptions): JobsWorker;
  /** Those of the ids that the queue has. */
  present(ids: readonly string[]): Promise<ReadonlySet<string>>;
  ping(): Promise<void>;
  /** Disconnects, also if the server is away. */
  close(): Promise<void>;
}

/** A server that holds jobs: Redis or PostgreSQL. */
export interface JobsServer {
  /** Its host and port, for messages; never a password. */
  readonly address: string;
  /**
   * Connects, and checks the server's settings.
   *
   * @param onError receives errors of the connections from then on
   */
  open(onError: (error: unknown) => void): Promise<OpenServer>;
}

/** BullMQ notes each change of a job for observers, of which there are none here. */
export const FEW_EVENTS = { streams: { events: { maxLen: 100 } } };

export const CONNECT_MS = 5_000;
export const COMMAND_MS = 5_000;

/** Host and port of a URL, which may hold a password. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host || 'its socket' : 'the given address';
}
