import 'reflect-metadata';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AgentModule } from '../../src/agent.module';
import { type DiscoveredTool, ToolScanner } from '../../src/discovery';
import { ProviderInvoker } from '../../src/invocation';
import { ToolRegistry } from '../../src/registry';
import type { Tool } from '../../src/tool';
import { itemProviders } from './item-providers';
import { coldMilliseconds, type ColdCost } from '../support/cpu-time';

const HOOK = join(__dirname, '../../../../test/support/typescript-hook.cjs');
const TOOLS = 1_000;
const PROCESSES = 7;

/** The cost of tools at boot. */
interface Parts {
  readonly scan: ColdCost;
  readonly build: ColdCost;
  readonly add: ColdCost;
}

const providers = itemProviders(TOOLS);

@Module({
  // Nothing is scanned while the application starts, so that the parts can be measured one by one.
  imports: [AgentModule.forRoot({ path: false, scan: { classes: [] } })],
  providers: [...providers],
})
class BenchModule {}

async function measure(app: INestApplicationContext): Promise<Parts> {
  const scanner = app.get(ToolScanner);
  const invoker = app.get(ProviderInvoker);
  const registry = app.get(ToolRegistry);
  let found: readonly DiscoveredTool[] = [];
  const scan = await coldMilliseconds(async () => {
    ({ tools: found } = await scanner.scan());
  });
  const known = new Set(providers);
  const mine = found.filter(({ host }) => known.has(host));
  if (mine.length !== TOOLS) throw new Error(`Found ${mine.length} tools of ${TOOLS}.`);
  let tools: readonly Tool[] = [];
  const build = await coldMilliseconds(() => {
    tools = mine.map((tool) => invoker.buildProviderTool(tool));
  });
  const add = await coldMilliseconds(() => tools.forEach((tool) => registry.add(tool)));
  return { scan, build, add };
}

/** A boot runs once, with uncompiled code, so each round is a separate process. */
function measureCold(): Parts {
  const { stdout } = spawnSync(process.execPath, ['--require', HOOK, __filename, '--once'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(stdout) as Parts;
}

function median(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[Math.floor(sorted.length / 2)] ?? Number.NaN).toFixed(1);
}

function line(what: string, costs: readonly ColdCost[], bound = ''): string {
  const main = median(costs.map((cost) => cost.main));
  const all = median(costs.map((cost) => cost.all));
  return `${what.padEnd(52)}${main} ms CPU on the main thread, ${all} ms with what V8 compiles beside${bound}`;
}

async function main(): Promise<void> {
  if (process.argv.includes('--once')) {
    const app = await NestFactory.createApplicationContext(BenchModule, { logger: false });
    // V8 still compiles Nest's own part of the boot in the background, which is no cost of the
    // tools.
    await setTimeout(1_000);
    process.stdout.write(JSON.stringify(await measure(app)));
    await app.close();
    return;
  }
  const rounds = Array.from({ length: PROCESSES }, measureCold);
  const sums = rounds.map(({ scan, build, add }) => ({
    main: scan.main + build.main + add.main,
    all: scan.all + build.all + add.all,
  }));
  process.stdout.write(
    [
      line(`what ${TOOLS} tools in as many providers add`, sums, ' (bound: 100)'),
      line(
        '  finding them',
        rounds.map(({ scan }) => scan),
      ),
      line(
        '  reading their parameters and building them',
        rounds.map(({ build }) => build),
      ),
      line(
        '  checking and adding them to the registry',
        rounds.map(({ add }) => add),
      ),
      '',
    ].join('\n'),
  );
}

void main();
