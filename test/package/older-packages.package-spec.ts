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
  '@opentelemetry/api@1.4',
  'yaml@1',
];

// Uses each of them, and prints the messages of the failures.
const APPLICATION = `require('reflect-metadata');
const { AgentModule } = require('nestjs-agent');
const { anthropic } = require('nestjs-agent/anthropic');
const { bullmqRuns } = require('nestjs-agent/bullmq');
const { otel } = require('nestjs-agent/otel');
const { redisBus } = require('nestjs-agent/redis');
const { sqlStore } = require('nestjs-agent/sql');
const { NestFactory } = require('@nestjs/core');
const { Module } = require('@nestjs/common');

async function boot(options) {
  class AppModule {}
  Module({ imports: [AgentModule.forRoot({ path: false, ...options })] })(AppModule);
  const app = await NestFactory.createApplicationContext(AppModule, { logger: false, abortOnError: false });
  await app.close();
}
async function ask(model) {
  const call = { signal: new AbortController().signal };
  for await (const _ of model.stream({ messages: [], tools: [] }, call));
}

const uses = {
  none: () => boot({}),
  kysely: () => boot({ sessions: { store: sqlStore({ connectionString: 'postgres://127.0.0.1:1/none' }) } }),
  bullmq: () => boot({ runs: bullmqRuns({ role: 'worker', connection: { port: 1 }, credentials: 'none' }) }),
  ioredis: () => boot({ bus: redisBus({ url: 'redis://127.0.0.1:1' }) }),
  otel: () => boot({ telemetry: otel() }),
  anthropic: () => ask(anthropic({ model: 'claude', apiKey: 'none' })),
};
async function main() {
  const failures = {};
  for (const [name, use] of Object.entries(uses)) {
    try {
      await use();
    } catch (error) {
      failures[name] = error.message;
    }
  }
  console.log(JSON.stringify(failures));
}
main();
`;

describe('an application with older versions of optional packages', () => {
  it('installs the library without flags, and learns where it uses one which version it needs', async () => {
    const folder = await installWith('@nestjs/platform-express', ...OLDER);
    await writeFile(join(folder, 'main.js'), APPLICATION);
    const failures: unknown = JSON.parse(await run(process.execPath, ['main.js'], folder));

    expect(failures).toEqual({
      kysely: expect.stringMatching(
        /needs kysely 0\.28\.0 or newer, and 0\.27\.\d+ is installed\. Install with: npm install kysely@latest$/,
      ),
      bullmq: expect.stringMatching(/^bullmqRuns\(\) needs bullmq 6\.7\.0 or newer, and 5\./),
      ioredis: expect.stringMatching(/^redisBus\(\) needs ioredis 5\.4\.0 or newer, and 4\./),
      otel: expect.stringMatching(
        /^otel\(\) needs @opentelemetry\/api 1\.9\.0 or newer, and 1\.4\./,
      ),
      anthropic: expect.stringMatching(
        /^anthropic\(\) needs @anthropic-ai\/sdk 1\.12\.0 or newer, and 0\.30\./,
      ),
    });
  });
});
