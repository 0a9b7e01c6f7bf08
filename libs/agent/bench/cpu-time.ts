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
