import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installWith } from './support/packed-package';
import { run } from './support/program';

const OLDER = [
  'bullmq@5',
  'ioredis@4',
  'pg@8.7',
  'kysely@0.27',
  '@anthropic-ai/sdk@0.30',
  'yaml@1',
];

const WORKERS = `require('reflect-metadata');
const { AgentModule } = require('nestjs-agent');
const { bullmqRuns } = require('nestjs-agent/bullmq');
const { sqlStore } = require('nestjs-agent/sql');
const { NestFactory } = require('@nestjs/core');
const { Module } = require('@nestjs/common');

async function failureOf(options) {
  class AppModule {}
  Module({ imports: [AgentModule.forRoot({ path: false, ...options })] })(AppModule);
  const app = NestFactory.createApplicationContext(AppModule, { logger: false, abortOnError: false });
  return app.then((booted) => booted.close(), (error) => error.message);
}

async function main() {
  const store = sqlStore({ connectionString: 'postgres://127.0.0.1:1/none' });
  const runs = bullmqRuns({ role: 'worker', connection: { port: 1 }, credentials: 'none' });
  console.log(JSON.stringify([
    await failureOf({}), await failureOf({ sessions: { store } }), await failureOf({ runs }),
  ]));
}
main();
`;

describe('an application with older versions of optional packages', () => {
  it('installs the library without flags, and learns where it uses one which version it needs', async () => {
    const folder = await installWith('@nestjs/platform-express', ...OLDER);
    await writeFile(join(folder, 'workers.js'), WORKERS);
    const [booted, store, runs] = JSON.parse(
      await run(process.execPath, ['workers.js'], folder),
    ) as unknown[];

    expect(booted).toBeNull();
    expect(store).toMatch(
      /needs kysely 0\.28\.0 or newer, and 0\.27\.\d+ is installed\. Install with: npm install kysely@latest$/,
    );
    expect(runs).toMatch(
      /^bullmqRuns\(\) needs bullmq 6\.7\.0 or newer, and 5\.\d+\.\d+ is installed\./,
    );
  });
});
