/** Whether each fault is made as often as a release must survive it: `npm run test:failures`. */
export const IS_THOROUGH = process.env['FAILURE_ROUNDS'] === 'all';

/** How often each fault is made: in every run of the tests, and by `npm run test:failures`. */
const ROUNDS = {
  /** Readers that reconnect to another process. */
  reconnects: [20, 60],
  stops: [20, 60],
  /** Results of browsers' tools. */
  deliveries: [20, 60],
  /** Results and approvals that are given twice. */
  doubles: [25, 100],
  deployments: [1, 5],
  /** Streams in each deployment. */
  deployedStreams: [20, 50],
  /** Kills at each place of a run's journal. */
  kills: [1, 20],
  /** Kills at each place of the journals of agents that ask one another. */
  askedKills: [1, 3],
  /** Workers paused for longer than their leases. */
  pauses: [2, 50],
  redisLosses: [1, 20],
  /** The same without workers. */
  redisOutages: [8, 20],
  postgresRestarts: [1, 10],
  mixedReleases: [1, 20],
  /** Claims that were changed, and callers that are refused. */
  refusals: [10, 100],
  /** Runs with secrets. */
  secretRuns: [30, 1_000],
  /** Runs of the user with many runs. */
  runsOfOneUser: [100, 1_000],
} as const;

export function roundsOf(fault: keyof typeof ROUNDS): number {
  return ROUNDS[fault][IS_THOROUGH ? 1 : 0];
}
