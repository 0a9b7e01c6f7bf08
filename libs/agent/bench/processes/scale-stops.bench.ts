// The time of a stop, from DELETE to its answer, at a web process other than the one of three that
// accepted the run; at level 3 a worker executes it. Needs PostgreSQL (DATABASE_URL) and the
// program redis-server.
import 'reflect-metadata';
import { Fleet } from '../../../../test/services/fleet/fleet';
import { LEVELS, type Topology } from '../../../../test/services/fleet/topology';

const RUNS = 60;
/** At level 1 each takes up to a third of the lease. */
const ALONE = 10;
const ROUNDS = 3;
const LEASE_MS = 6_000;

const percentile = (sorted: readonly number[], part: number): string =>
  (sorted[Math.ceil(sorted.length * part) - 1] ?? 0).toFixed(0);

/**
 * A run that sends text and waits, and its stop by another web process: milliseconds until the
 * answer.
 */
async function speaking(fleet: Fleet, index: number): Promise<() => Promise<number>> {
  const user = `user-${index}`;
  const { webs } = fleet;
  const stream = await fleet.stream(user, { message: 'bench: wait' }, webs[index % webs.length]);
  const { runId } = await stream.next('text.delta');
  return async () => {
    const other = webs[(index + 1) % webs.length];
    const begin = performance.now();
    const { body } = await fleet.request(user, 'DELETE', `/runs/${runId}`, undefined, other);
    if (body.status !== 'cancelled') throw new Error(`The run is ${body.status}.`);
    return performance.now() - begin;
  };
}

async function measure(topology: Topology): Promise<void> {
  const fleet = await Fleet.start(topology, { leaseMs: LEASE_MS });
  const runs = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, index) => speaking(fleet, index)));
  const [alone, atOnce]: [number[], number[]] = [[], []];
  // The first round warms up.
  for (let round = 0; round <= ROUNDS; round += 1) {
    if (round === 1) alone.length = atOnce.length = 0;
    for (const stop of await runs(ALONE)) alone.push(await stop());
    const stops = await runs(RUNS);
    atOnce.push(...(await Promise.all(stops.map((stop) => stop()))));
  }
  await fleet.close();
  const told = [alone, atOnce].map((times) => {
    times.sort((a, b) => a - b);
    return `p50 ${percentile(times, 0.5)} ms, p99 ${percentile(times, 0.99)} ms`;
  });
  process.stdout.write(
    `${topology.name}: stops one by one ${told[0]}; ${RUNS} at once ${told[1]}\n`,
  );
}

async function main(): Promise<void> {
  for (const topology of LEVELS) await measure(topology);
}

void main();
