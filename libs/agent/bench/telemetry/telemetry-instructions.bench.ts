// The cost of telemetry in instructions, which other load does not change: a streamed turn with a
// tool call with each kind of telemetry, by turns in one process. Only where valgrind is installed.
import { join } from 'node:path';
import { figuresBeside, quantile } from '../support/by-turns';
import { CountedProcess } from '../support/instructions';
import { Lockstep } from '../support/lockstep';
import { VARIANTS } from './telemetry-variants';

const WARM_UP = 6;
const ROUNDS = Number(process.env['ROUNDS'] ?? 8);
const TURNS = 16;

async function main(): Promise<void> {
  const lockstep = new Lockstep();
  const file = join(__dirname, 'telemetry.process.ts');
  const counted = await CountedProcess.start(file, [await lockstep.listen()]);
  const urls = counted.first as readonly string[];
  const figures = VARIANTS.map((): number[] => []);
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    if (round === 0) {
      await counted.ask('warm');
      counted.begin();
    }
    for (let place = 0; place < VARIANTS.length; place += 1) {
      const index = (place + round + WARM_UP) % VARIANTS.length;
      const url = urls[index] ?? '';
      await counted.ask(String(index));
      await lockstep.turns(url, 1);
      const before = round < 0 ? 0 : counted.count();
      await lockstep.turns(url, TURNS);
      if (round >= 0) figures[index]?.push((counted.count() - before) / TURNS / 1_000);
    }
  }
  counted.close();
  lockstep.close();
  const title = 'thousands of instructions per streamed turn with a tool call: median, beside none';
  process.stdout.write(`${[title, ...linesOf(figures)].join('\n')}\n`);
}

/**
 * A line for each variant: its median, the ratio of the medians, and the ratios of single rounds, which
 * differ by the collections that fall into a round.
 */
function linesOf(figures: readonly (readonly number[])[]): readonly string[] {
  return VARIANTS.map((variant, index) => {
    const { name, bound, beside } = variant;
    const own = figures[index] ?? [];
    const base = figuresBeside(variant, VARIANTS, figures);
    const median = quantile(own, 0.5);
    const ratio = (median / quantile(base, 0.5)).toFixed(3);
    const ratios = own.map((value, round) => value / (base[round] ?? Number.NaN));
    const range = `${quantile(ratios, 0).toFixed(3)} to ${quantile(ratios, 1).toFixed(3)}`;
    const bounds = bound === undefined ? '' : `, bound ${bound}`;
    const against = beside === undefined ? '' : ` beside ${beside}`;
    return `  ${name.padEnd(34)} ${median.toFixed(0).padStart(7)}   ${ratio}${bounds}${against} (rounds: ${range})`;
  });
}

if (CountedProcess.isPossible) void main();
else process.stdout.write('Skipped: valgrind is not installed.\n');
