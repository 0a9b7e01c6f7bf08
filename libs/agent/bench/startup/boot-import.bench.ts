// The cost of importing the built package, on top of Nest. Each round is a separate process, since
// a module is loaded once.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { median } from '../support/by-turns';

const PACKAGE = join(__dirname, '../../../../dist/nestjs-agent');
const PROCESSES = 9;

/** The cost of a step of loading. */
interface Cost {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly heapMb: number;
  readonly modules: number;
}
interface Round {
  readonly nest: Cost;
  readonly agent: Cost;
  readonly served: Cost;
}

const CHILD = `
  const load = require('node:module').createRequire(${JSON.stringify(join(PACKAGE, 'index.js'))});
  load('reflect-metadata');
  function cost(work) {
    gc();
    const heap = process.memoryUsage().heapUsed;
    const modules = Object.keys(require.cache).length;
    const [wall, cpu] = [performance.now(), process.cpuUsage()];
    work();
    const wallMs = performance.now() - wall;
    const { user, system } = process.cpuUsage(cpu);
    gc();
    return {
      wallMs,
      cpuMs: (user + system) / 1_000,
      heapMb: (process.memoryUsage().heapUsed - heap) / 1_048_576,
      modules: Object.keys(require.cache).length - modules,
    };
  }
  const nest = cost(() => ['@nestjs/common', '@nestjs/core', 'rxjs'].forEach(load));
  const agent = cost(() => load('./index.js'));
  const served = cost(() => load('./index.js').AgentModule.forRoot());
  console.log(JSON.stringify({ nest, agent, served }));
`;

function round(): Round {
  const { stdout } = spawnSync(process.execPath, ['--expose-gc', '-e', CHILD], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(stdout) as Round;
}

function line(what: string, costs: readonly Cost[], nest: readonly Cost[], bound = ''): string {
  const of = (field: keyof Cost, digits: number) =>
    median(costs.map((cost) => cost[field])).toFixed(digits);
  const ratio = median(costs.map(({ cpuMs }, index) => cpuMs / (nest[index]?.cpuMs ?? Number.NaN)));
  return `${what.padEnd(40)}${of('wallMs', 0)} ms, ${of('cpuMs', 0)} ms CPU (${ratio.toFixed(2)} of Nest), ${of('heapMb', 1)} MB, ${of('modules', 0)} modules${bound}\n`;
}

if (!existsSync(PACKAGE)) throw new Error('Build the package first: npm run build:package');
const rounds = Array.from({ length: PROCESSES }, round);
const nest = rounds.map((each) => each.nest);
process.stdout.write(
  [
    line('importing Nest', nest, nest),
    line(
      'importing nestjs-agent, above Nest',
      rounds.map(({ agent }) => agent),
      nest,
      ' (bounds: 60 ms, 10 MB)',
    ),
    line(
      'the first forRoot() with endpoints',
      rounds.map(({ served }) => served),
      nest,
    ),
  ].join(''),
);
