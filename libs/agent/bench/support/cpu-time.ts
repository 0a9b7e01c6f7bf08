import { readFileSync } from 'node:fs';

const ROUNDS = 7;

/**
 * Microseconds of CPU, user and system, that one call takes: the median of several rounds, which
 * other processes on the machine disturb far less than wall time.
 */
export async function cpuMicros(times: number, work: (index: number) => unknown): Promise<number> {
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    for (let index = 0; index < times; index++) await work(index);
    const { user, system } = process.cpuUsage(before);
    rounds.push((user + system) / times);
  }
  return rounds.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
}

/** The cost of work that runs once, in milliseconds of CPU. */
export interface ColdCost {
  /** On the main thread only, which all other work waits for. */
  readonly main: number;
  /** With V8's own threads, which compile new code and collect garbage. */
  readonly all: number;
}

/** Milliseconds of CPU for work that runs once, such as a boot. */
export async function coldMilliseconds(work: () => unknown): Promise<ColdCost> {
  const before = process.cpuUsage();
  const mainBefore = mainThreadMilliseconds();
  await work();
  const main = mainThreadMilliseconds() - mainBefore;
  const { user, system } = process.cpuUsage(before);
  return { main, all: (user + system) / 1_000 };
}

/** The main thread's CPU time from the kernel; on Linux only. */
function mainThreadMilliseconds(): number {
  try {
    const [ran] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
    return Number(ran) / 1e6;
  } catch {
    return Number.NaN;
  }
}
