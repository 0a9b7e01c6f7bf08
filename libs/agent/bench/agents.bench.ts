// The boot of an application with 20 agents over 500 tools beside the same with one agent, each in a
// process of its own, and the schemas that both hold.
import 'reflect-metadata';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AgentModule } from '../src/agent.module';
import { getAgentToken } from '../src/decorators';
import { offline } from '../src/model';
import { AgentService } from '../src/run';
import { itemProviders } from './fixtures/item-providers';

const HOOK = join(__dirname, '../../../test/support/typescript-hook.cjs');
const TOOLS = 500;
const AGENTS = 20;
const PROCESSES = 7;

/** One boot. */
interface Boot {
  readonly cpuMs: number;
  readonly heapMb: number;
  /** Schemas that an agent offers and that are not those of the application's own agent. */
  readonly copies: number;
}

async function boot(agents: number, isServed: boolean): Promise<Boot> {
  const providers = [...itemProviders(TOOLS)];
  const names = Array.from({ length: agents - 1 }, (_, index) => `agent_${index}`);
  const served = isServed ? {} : ({ path: false } as const);

  @Module({
    imports: [
      AgentModule.forRoot({ model: offline(), ...served }),
      ...names.map((name) => AgentModule.forFeature({ name, ...served })),
    ],
    providers,
  })
  class BenchModule {}

  const before = process.cpuUsage();
  const app = await NestFactory.create(BenchModule, { logger: false });
  await app.init();
  const { user, system } = process.cpuUsage(before);
  global.gc?.();
  const heapMb = process.memoryUsage().heapUsed / 1e6;
  const own = await app.get(AgentService).offeredTools();
  const schemas = new Set(own.map(({ definition }) => definition.input_schema));
  let copies = 0;
  for (const name of names) {
    const agent = app.get<AgentService>(getAgentToken(name));
    for (const { definition } of await agent.offeredTools()) {
      if (!schemas.has(definition.input_schema)) copies += 1;
    }
  }
  await app.close();
  return { cpuMs: (user + system) / 1e3, heapMb, copies };
}

/** A boot happens once, with code that never ran before: each is a process of its own. */
function bootCold(agents: number, isServed: boolean): Boot {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--expose-gc', '--require', HOOK, __filename, String(agents), String(isServed)],
    { encoding: 'utf8' },
  );
  try {
    return JSON.parse(stdout) as Boot;
  } catch {
    throw new Error(stderr || stdout);
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function compare(isServed: boolean): void {
  const one: Boot[] = [];
  const many: Boot[] = [];
  for (let round = 0; round < PROCESSES; round += 1) {
    one.push(bootCold(1, isServed));
    many.push(bootCold(AGENTS, isServed));
  }
  const of = (boots: readonly Boot[], key: keyof Boot): number =>
    median(boots.map((each) => each[key]));
  const ratio = of(many, 'cpuMs') / of(one, 'cpuMs');
  const line = [
    isServed ? 'with endpoints' : 'without endpoints',
    `1 agent ${of(one, 'cpuMs').toFixed(0)} ms of CPU, ${of(one, 'heapMb').toFixed(1)} MB`,
    `${AGENTS} agents ${of(many, 'cpuMs').toFixed(0)} ms, ${of(many, 'heapMb').toFixed(1)} MB`,
    `ratio ${ratio.toFixed(2)}`,
    `${of(many, 'copies')} copies of schemas`,
  ].join(' | ');
  process.stdout.write(`${line}\n`);
}

async function main(): Promise<void> {
  const [agents, isServed] = process.argv.slice(2);
  if (agents === undefined) {
    compare(true);
    compare(false);
    return;
  }
  process.stdout.write(JSON.stringify(await boot(Number(agents), isServed === 'true')));
}

void main();
