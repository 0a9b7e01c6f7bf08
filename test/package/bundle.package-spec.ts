import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ALONE, installWith, ROOT } from './support/packed-package';
import { run } from './support/program';

const APPLICATION = `require('reflect-metadata');
const { Module } = require('@nestjs/common');
const { NestFactory } = require('@nestjs/core');
const { Expose } = require('class-transformer');
const { AgentModule, AgentService, defineTool, offline, ToolRegistry } = require('nestjs-agent');

class Day {}
Expose({ name: 'day_of_week' })(Day.prototype, 'day');

class AppModule {}
Module({ imports: [AgentModule.forRoot({ model: offline(), principal: () => 'alice' })] })(AppModule);

async function main() {
  const app = await NestFactory.create(AppModule, { logger: false });
  const today = { name: 'today', description: 'Says the date of today', execute: () => '2026-01-31' };
  app.get(ToolRegistry).register(defineTool(today));
  const open = { name: 'open', description: 'Tells the hours of a day', input: Day, execute: () => 'all day' };
  app.get(ToolRegistry).register(defineTool(open));
  const names = Object.keys(app.get(ToolRegistry).get('open').input_schema.properties);
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  const { message } = await app.get(AgentService).chat({ message: 'today' }, { principal: 'alice' });
  const page = await fetch(url + '/agent/ui');
  const [script] = /[^"]*agent-chat[^"]*\\.js/.exec(await page.text());
  const { status } = await fetch(new URL(script, page.url));
  await app.close();
  console.log(JSON.stringify({ message, status, names }));
}
main();
`;

describe('an application as one file, as the guide to operations has it', () => {
  let alone: string;
  beforeAll(async () => {
    const folder = await installWith(...ALONE);
    await writeFile(join(folder, 'main.js'), APPLICATION);
    // As webpack resolves packages.
    const config =
      "export default { input: 'main.js', resolve: { mainFields: ['module', 'main'] } };";
    await writeFile(join(folder, 'rolldown.config.mjs'), config);
    // Far from any node_modules.
    alone = await mkdtemp(join(tmpdir(), 'nestjs-agent-bundle-'));
    const bundler = join(ROOT, 'node_modules/.bin/rolldown'); // vite's
    const unused = ['@nestjs/microservices', '@nestjs/websockets'];
    const external = unused.flatMap((name) => [name, `${name}/*`]).join(',');
    const into = ['--file', join(alone, 'main.js'), '--format', 'cjs'];
    const options = [
      '--config',
      'rolldown.config.mjs',
      '--platform',
      'node',
      '--keepNames',
      '--no-codeSplitting',
      '--external',
      external,
    ];
    await run(bundler, [...options, ...into], folder);
    await cp(join(folder, 'node_modules/nestjs-agent/ui/assets'), join(alone, 'assets'), {
      recursive: true,
    });
  });
  afterAll(() => rm(alone, { recursive: true, force: true }));

  it('calls tools and serves the chat page without any package beside it', async () => {
    const output = await run(process.execPath, ['main.js'], alone);

    expect(JSON.parse(output)).toEqual({
      message: expect.stringContaining('2026-01-31') as string,
      status: 200,
      names: ['day_of_week'],
    });
  });
});
