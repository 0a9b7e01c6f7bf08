// The boot of an application with 20 agents over 500 tools compared with one agent, each in a
// separate process, and the schemas that both keep. For comparison, one agent and as many routes as
// the 20 agents have, on empty controllers: Nest's own cost for them.
import 'reflect-metadata';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Controller, Module, RequestMapping, type DynamicModule, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { NestFactory } from '@nestjs/core';
import { AgentModule } from '../../src/agent.module';
import { getAgentToken } from '../../src/decorators';
import { createAgentControllers } from '../../src/http';
import { offline } from '../../src/model';
import { AgentService } from '../../src/run';
import { itemProviders } from './item-providers';

const HOOK = join(__dirname, '../../../../test/support/typescript-hook.cjs');
const TOOLS = 500;
const AGENTS = 20;
const PROCESSES = 7;

/** Additions to an application with its own agent. */
type Further = 'nothing' | 'agents' | 'routes';

/** One boot. */
interface Boot {
  readonly cpuMs: number;
  readonly heapMb: number;
  /** Schemas that an agent offers and that are not those of the application's own agent. */
  readonly copies: number;
}

async function boot(further: Further, isServed: boolean): Promise<Boot> {
  const providers = [...itemProviders(TOOLS)];
  const count = further === 'nothing' ? 0 : AGENTS - 1;
  const names = Array.from({ length: count }, (_, index) => `agent_${index}`);
  const served = isServed ? {} : ({ path: false } as const);
  const root = AgentModule.forRoot({ model: offline(), ...served });
  const bare = further === 'routes' ? names.map(routesOf) : [];

  const before = process.cpuUsage();
  const agents = names.map((name) => AgentModule.forFeature({ name, ...served }));
  @Module({ imports: [root, ...(further === 'routes' ? bare : agents)], providers })
  class BenchModule {}
  const app = await NestFactory.create(BenchModule, { logger: false });
  await app.init();
  const { user, system } = process.cpuUsage(before);
  global.gc?.();
  const heapMb = process.memoryUsage().heapUsed / 1e6;
  const own = await app.get(AgentService).offeredTools();
  const schemas = new Set(own.map(({ definition }) => definition.input_schema));
  let copies = 0;
  for (const name of further === 'agents' ? names : []) {
    const agent = app.get<AgentService>(getAgentToken(name));
    for (const { definition } of await agent.offeredTools()) {
      if (!schemas.has(definition.input_schema)) copies += 1;
    }
  }
  await app.close();
  return { cpuMs: (user + system) / 1e3, heapMb, copies };
}

/** A module with as many controllers and routes as an agent has, and nothing else. */
function routesOf(path: string): DynamicModule {
  class BareModule {}
  return {
    module: BareModule,
    controllers: createAgentControllers({ path }).map((controller) =>
      bareController(path, Object.getPrototypeOf(controller) as Type<unknown>),
    ),
  };
}

function bareController(path: string, model: Type<unknown>): Type<unknown> {
  class BareController {}
  const descriptors = Object.getOwnPropertyDescriptors(model.prototype as object);
  for (const [name, { value }] of Object.entries(descriptors)) {
    const handler = Object(value) as object;
    const method = Reflect.getMetadata(METHOD_METADATA, handler) as number | undefined;
    if (method === undefined) continue;
    const route = { path: Reflect.getMetadata(PATH_METADATA, handler) as string, method };
    const descriptor = { value: () => undefined, configurable: true };
    Object.defineProperty(BareController.prototype, name, descriptor);
    RequestMapping(route)(BareController.prototype, name, descriptor);
  }
  Controller(path)(BareController);
  return BareController;
}

/** A boot runs once, with uncompiled code, so each is a separate process. */
function bootCold(further: Further, isServed: boolean): Boot {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--expose-gc', '--require', HOOK, __filename, further, String(isServed)],
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
  const bare: Boot[] = [];
  for (let round = 0; round < PROCESSES; round += 1) {
    one.push(bootCold('nothing', isServed));
    many.push(bootCold('agents', isServed));
    if (isServed) bare.push(bootCold('routes', isServed));
  }
  const of = (boots: readonly Boot[], key: keyof Boot): number =>
    median(boots.map((each) => each[key]));
  const [oneMs, manyMs, bareMs] = [of(one, 'cpuMs'), of(many, 'cpuMs'), of(bare, 'cpuMs')];
  const lines = [
    [
      isServed ? 'with endpoints' : 'without endpoints',
      `1 agent ${oneMs.toFixed(0)} ms of CPU, ${of(one, 'heapMb').toFixed(1)} MB`,
      `${AGENTS} agents ${manyMs.toFixed(0)} ms, ${of(many, 'heapMb').toFixed(1)} MB`,
      `ratio ${(manyMs / oneMs).toFixed(2)}`,
      `${of(many, 'copies')} copies of schemas`,
    ],
    [
      `1 agent and the routes of ${AGENTS}, bare`,
      `${bareMs.toFixed(0)} ms, ${of(bare, 'heapMb').toFixed(1)} MB`,
      `ratio ${(bareMs / oneMs).toFixed(2)}`,
      `${AGENTS} agents beside it: ${(manyMs / bareMs).toFixed(2)}`,
    ],
  ];
  for (const line of lines.slice(0, isServed ? 2 : 1)) {
    process.stdout.write(`${line.join(' | ')}\n`);
  }
}

async function main(): Promise<void> {
  const [further, isServed] = process.argv.slice(2);
  if (further === undefined) {
    compare(true);
    compare(false);
    return;
  }
  process.stdout.write(JSON.stringify(await boot(further as Further, isServed === 'true')));
}

void main();
