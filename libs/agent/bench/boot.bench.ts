import 'reflect-metadata';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type INestApplicationContext, Injectable, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { IsInt, IsOptional, IsString, Length, Min } from 'class-validator';
import { AgentModule } from '../src/agent.module';
import { Tool, ToolParam } from '../src/decorators';
import { ToolScanner } from '../src/discovery';
import { ProviderInvoker } from '../src/invocation';
import { ToolRegistry } from '../src/registry';

const TOOLS = 1_000;
const PROCESSES = 7;

/** What tools add to a boot, in milliseconds of CPU. */
interface Parts {
  readonly scan: number;
  readonly build: number;
  readonly add: number;
}

/** A provider of one tool with a DTO of its own, as a large application has many. */
function makeProvider(index: number): Type<unknown> {
  class ItemDto {
    @IsString()
    @Length(1, 20)
    name!: string;

    @IsOptional()
    @IsInt()
    @Min(index)
    count?: number;
  }
  @Injectable()
  class ItemTools {
    @Tool({ name: `create_item_${index}`, description: 'Create an item' })
    create(@ToolParam('item') item: ItemDto, @ToolParam('dry') dry: boolean): unknown {
      return { item, dry };
    }
  }
  return ItemTools;
}

const providers = Array.from({ length: TOOLS }, (_, index) => makeProvider(index));

@Module({
  // Nothing is scanned while the application starts, so that the parts can be measured one by one.
  imports: [AgentModule.forRoot({ path: false, scan: { classes: [] } })],
  providers,
})
class BenchModule {}

function cpuMilliseconds<T>(work: () => T): readonly [T, number] {
  const before = process.cpuUsage();
  const made = work();
  const { user, system } = process.cpuUsage(before);
  return [made, (user + system) / 1_000];
}

async function measure(app: INestApplicationContext): Promise<Parts> {
  const scanner = app.get(ToolScanner);
  const invoker = app.get(ProviderInvoker);
  const registry = app.get(ToolRegistry);
  const before = process.cpuUsage();
  const { tools: found } = await scanner.scan();
  const { user, system } = process.cpuUsage(before);
  const mine = found.filter(({ host }) => providers.includes(host));
  if (mine.length !== TOOLS) throw new Error(`Found ${mine.length} tools of ${TOOLS}.`);
  const [tools, build] = cpuMilliseconds(() => mine.map((tool) => invoker.buildProviderTool(tool)));
  const [, add] = cpuMilliseconds(() => tools.forEach((tool) => registry.add(tool)));
  return { scan: (user + system) / 1_000, build, add };
}

/** A boot happens once, with code that never ran before: each round is a process of its own. */
function measureCold(): Parts {
  const { stdout } = spawnSync(
    process.execPath,
    ['--require', join(__dirname, 'register.cjs'), __filename, '--once'],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
  );
  return JSON.parse(stdout) as Parts;
}

function median(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[Math.floor(sorted.length / 2)] ?? Number.NaN).toFixed(1);
}

async function main(): Promise<void> {
  if (process.argv.includes('--once')) {
    const app = await NestFactory.createApplicationContext(BenchModule, { logger: false });
    process.stdout.write(JSON.stringify(await measure(app)));
    await app.close();
    return;
  }
  const rounds = Array.from({ length: PROCESSES }, measureCold);
  process.stdout.write(
    [
      `what ${TOOLS} tools in as many providers add to a boot   ${median(rounds.map(({ scan, build, add }) => scan + build + add))} ms CPU (bound: 100)`,
      `  finding them                                      ${median(rounds.map(({ scan }) => scan))} ms`,
      `  reading their parameters and building them        ${median(rounds.map(({ build }) => build))} ms`,
      `  checking and adding them to the registry          ${median(rounds.map(({ add }) => add))} ms`,
      '',
    ].join('\n'),
  );
}

void main();
