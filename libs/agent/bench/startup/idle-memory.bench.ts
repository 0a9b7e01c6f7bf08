// The resident memory of an idle application with 50 tools, compared with the same application
// without the library. Each round is a separate process.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { median } from '../support/by-turns';

const PACKAGE = join(__dirname, '../../../../dist/nestjs-agent');
const PROCESSES = 7;

type Kind = 'without' | 'with';

// Both have the same providers, DTOs and HTTP server; they differ by the module and its decorator. Both
// load `@nestjs/swagger`: the library describes its endpoints to it wherever it is installed, as here.
const CHILD = `
  const load = require('node:module').createRequire(${JSON.stringify(join(PACKAGE, 'index.js'))});
  load('reflect-metadata');
  load('@nestjs/swagger');
  const { Injectable, Module, ValidationPipe } = load('@nestjs/common');
  const { NestFactory } = load('@nestjs/core');
  const { IsInt, IsString } = load('class-validator');
  const agent = process.argv[1] === 'with' ? load('./index.js') : undefined;
  function makeProvider(index) {
    class ItemDto {}
    IsString()(ItemDto.prototype, 'name');
    IsInt()(ItemDto.prototype, 'count');
    Reflect.defineMetadata('design:type', String, ItemDto.prototype, 'name');
    Reflect.defineMetadata('design:type', Number, ItemDto.prototype, 'count');
    class ItemTools {
      create(item) {
        return item;
      }
    }
    Injectable()(ItemTools);
    Reflect.defineMetadata('design:paramtypes', [ItemDto], ItemTools.prototype, 'create');
    if (agent) {
      const described = { name: 'create_item_' + index, description: 'Create an item' };
      const method = Object.getOwnPropertyDescriptor(ItemTools.prototype, 'create');
      agent.ToolParam('item')(ItemTools.prototype, 'create', 0);
      agent.Tool(described)(ItemTools.prototype, 'create', method);
    }
    return ItemTools;
  }
  async function main() {
    const imports = agent ? [agent.AgentModule.forRoot({ model: agent.offline() })] : [];
    class AppModule {}
    Module({ imports, providers: Array.from({ length: 50 }, (_, index) => makeProvider(index)) })(AppModule);
    const app = await NestFactory.create(AppModule, { logger: false });
    app.useGlobalPipes(new ValidationPipe());
    await app.listen(0, '127.0.0.1');
    const tools = agent ? app.get(agent.ToolRegistry).list().length : 50;
    if (tools < 50) throw new Error('There are ' + tools + ' tools.');
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    gc();
    console.log(process.memoryUsage.rss());
    await app.close();
  }
  void main();
`;

function residentMb(kind: Kind): number {
  const { stdout } = spawnSync(process.execPath, ['--expose-gc', '-e', CHILD, kind], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return Number(stdout) / 1e6;
}

if (!existsSync(PACKAGE)) throw new Error('Build the package first: npm run build:package');
const rounds = Array.from({ length: PROCESSES }, () => ({
  without: residentMb('without'),
  with: residentMb('with'),
}));
const ratio = median(rounds.map((round) => round.with / round.without));
process.stdout.write(
  [
    `idle, without the library   ${median(rounds.map((round) => round.without)).toFixed(1)} MB`,
    `idle, with 50 tools         ${median(rounds.map((round) => round.with)).toFixed(1)} MB`,
    `  beside the other          ${ratio.toFixed(2)} (bound: 1.3)`,
    '',
  ].join('\n'),
);
