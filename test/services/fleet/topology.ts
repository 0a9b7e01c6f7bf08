/** The number of processes of each role, and the servers they share besides PostgreSQL. */
export interface Topology {
  readonly name: string;
  readonly webs: number;
  readonly workers: number;
  /** The server for live events; without one, the database. */
  readonly bus?: 'redis';
  /** The server of the run queue; without one, the web processes execute runs. */
  readonly queue?: 'redis' | 'postgres';
}

/** The levels of the guide for several processes. */
export const LEVEL_1: Topology = { name: 'three processes on PostgreSQL', webs: 3, workers: 0 };
export const LEVEL_2: Topology = {
  name: 'three processes on PostgreSQL and Redis',
  webs: 3,
  workers: 0,
  bus: 'redis',
};
export const LEVEL_3: Topology = {
  name: 'three web processes and two workers',
  webs: 3,
  workers: 2,
  bus: 'redis',
  queue: 'redis',
};
/** Level 3 without Redis. */
export const QUEUE_IN_POSTGRES: Topology = {
  name: 'three web processes and two workers without Redis',
  webs: 3,
  workers: 2,
  queue: 'postgres',
};

export const LEVELS: readonly Topology[] = [LEVEL_1, LEVEL_2, LEVEL_3];
