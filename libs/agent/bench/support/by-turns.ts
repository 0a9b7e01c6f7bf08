// Compares variants of the same work in one process. Other load on the machine changes from second
// to second, so the variants are measured in short alternating pieces, and each ratio to the first
// variant compares neighbouring pieces.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { ClientsDone, ClientsTask } from './request-clients';

/** Some work that is measured. */
export interface Measured {
  readonly name: string;
  /** The maximum ratio to the first variant's CPU, or to that of `beside`. */
  readonly bound?: number;
  /** The variant to compare with, by its name; the first by default. */
  readonly beside?: string;
  /** Runs before each piece, unmeasured. */
  readonly prepare?: () => unknown;
  /** One piece of the work. */
  readonly work: () => Promise<unknown>;
  /** Runs after each piece, unmeasured. */
  readonly clear?: () => unknown;
}

interface Rounds {
  readonly rounds: number;
  /** Rounds before the measurement. */
  readonly warmUp: number;
  /** The number of repetitions within one piece. */
  readonly times: number;
}

/** Microseconds of CPU per repetition in each round, for each variant. */
export async function measuredByTurns(
  variants: readonly Measured[],
  { rounds, warmUp, times }: Rounds,
): Promise<readonly (readonly number[])[]> {
  const figures = variants.map((): number[] => []);
  for (let round = -warmUp; round < rounds; round += 1) {
    // Each round begins with another variant, so that none always follows the same one.
    for (let place = 0; place < variants.length; place += 1) {
      const index = (place + round + warmUp) % variants.length;
      const variant = variants[index];
      variant?.prepare?.();
      // No garbage collection is forced here: it would drop compiled code, and a turn would take
      // three times as long. The garbage of one piece may be collected during any other; the
      // changing order evens this out.
      const before = process.cpuUsage();
      await variant?.work();
      const { user, system } = process.cpuUsage(before);
      await variant?.clear?.();
      if (round >= 0) figures[index]?.push((user + system) / times);
    }
  }
  return figures;
}

/** What one variant is compared with. */
export type Compared = Pick<Measured, 'name' | 'bound' | 'beside'>;

/**
 * A line for each variant: its CPU, and the median of its ratios to the variant it is compared with, with
 * the interval that holds the true median in 95 of 100 cases. A bound within the interval is neither
 * met nor missed.
 */
export function linesOf(
  variants: readonly Compared[],
  figures: readonly (readonly number[])[],
): string[] {
  return variants.map((variant, index) => {
    const { name, bound, beside } = variant;
    const own = figures[index] ?? [];
    const base = figuresBeside(variant, variants, figures);
    const ratios = own.map((value, round) => value / (base[round] ?? Number.NaN));
    const [low, high] = medianWithin(ratios);
    const interval = `(${low.toFixed(3)} to ${high.toFixed(3)})`;
    const bounds = bound === undefined ? '' : ` bound ${bound}: ${verdict(bound, low, high)}`;
    const micros = quantile(own, 0.5).toFixed(0).padStart(7);
    const against = beside === undefined ? '' : ` beside ${beside}`;
    return `  ${name.padEnd(34)} ${micros}   ${quantile(ratios, 0.5).toFixed(3)} ${interval}${bounds}${against}`;
  });
}

/** The figures that a variant's are divided by. */
export function figuresBeside(
  { beside }: Compared,
  variants: readonly Compared[],
  figures: readonly (readonly number[])[],
): readonly number[] {
  const index = beside === undefined ? 0 : variants.findIndex(({ name }) => name === beside);
  return figures[index] ?? [];
}

function verdict(bound: number, low: number, high: number): string {
  if (high <= bound) return 'kept';
  return low > bound ? 'missed' : 'not told';
}

/** By the order of the values: no distribution is assumed. */
export function medianWithin(values: readonly number[]): readonly [low: number, high: number] {
  const half = 0.98 / Math.sqrt(values.length);
  return [quantile(values, Math.max(0, 0.5 - half)), quantile(values, Math.min(1, 0.5 + half))];
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
}

/** Clients in a separate process. */
export class Clients {
  private readonly process: ChildProcess = fork(join(__dirname, 'request-clients.ts'));

  private readonly died = once(this.process, 'exit').then((): never => {
    throw new Error('The process of the clients has ended.');
  });

  /** Runs streamed turns, each in a new session. @returns the last answer */
  async turns(url: string, count: number): Promise<string> {
    const task: ClientsTask = {
      type: 'calls',
      count,
      url: `${url}/agent/chat/stream`,
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ message: 'Tell me what happened today.' }),
    };
    this.process.send(task);
    const answered = once(this.process, 'message') as Promise<[ClientsDone]>;
    const [{ answer }] = await Promise.race([answered, this.died]);
    return answer;
  }

  close(): void {
    this.died.catch(() => undefined);
    this.process.disconnect();
  }
}
