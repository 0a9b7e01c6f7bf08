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

/** What work costs that is done once, in milliseconds of CPU. */
export interface ColdCost {
  /** On the main thread alone, which everything else waits for. */
  readonly main: number;
  /** With V8's own threads: to run code for the first time makes it compile and collect. */
  readonly all: number;
}

/** Milliseconds of CPU that work takes which runs once, as at a boot. */
export async function coldMilliseconds(work: () => unknown): Promise<ColdCost> {
  const before = process.cpuUsage();
  const mainBefore = mainThreadMilliseconds();
  await work();
  const main = mainThreadMilliseconds() - mainBefore;
  const { user, system } = process.cpuUsage(before);
  return { main, all: (user + system) / 1_000 };
}

/** What the kernel charged the main thread; Linux alone tells. */
function mainThreadMilliseconds(): number {
  try {
    const [ran] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
    return Number(ran) / 1e6;
  } catch {
    return Number.NaN;
  }
}
