import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installWith, OTHER_VERSIONS, ROOT } from './support/packed-package';
import { run } from './support/program';

// Two boots of an application on one database: the second goes on with the conversation of the first.
const APPLICATION = `require('reflect-metadata');
const { Module } = require('@nestjs/common');
const { NestFactory } = require('@nestjs/core');
const { AgentModule, AgentService, SessionService } = require('nestjs-agent');
const { sqlStore } = require('nestjs-agent/sql');
const { ScriptedModel } = require('nestjs-agent/testing');
const alice = { principal: 'alice' };

async function turn(answer, sessionId) {
  class AppModule {}
  const store = sqlStore({ dataDir: 'sessions' });
  const agent = AgentModule.forRoot({ model: new ScriptedModel([answer]), path: false, sessions: { store } });
  Module({ imports: [agent] })(AppModule);
  const app = await NestFactory.createApplicationContext(AppModule, { logger: false });
  const result = await app.get(AgentService).chat({ message: 'Go on', sessionId }, alice);
  const messages = await app.get(SessionService).transcript(result.sessionId, alice);
  await app.close();
  return { sessionId: result.sessionId, texts: messages.map(({ content }) => content[0].text) };
}

async function main() {
  const first = await turn('One.');
  const { texts } = await turn('Two.', first.sessionId);
  console.log(JSON.stringify(texts));
}
main();
`;

const OF_THE_APPLICATION = `import { type Dialect, Kysely } from 'kysely';
import { sqlStore } from 'nestjs-agent/sql';

interface Database {
  readonly orders: { readonly id: string };
}

const client = new Kysely<Database>({ dialect: {} as Dialect });
export const store = sqlStore({ client });
`;

// All other tests have kysely 0.28 and the newest PGlite.
describe('sqlStore with other versions of its packages', () => {
  it.each([
    ['kysely 0.29', OTHER_VERSIONS],
    ['the oldest of both', ['kysely@0.28.0', '@electric-sql/pglite@0.4.0']],
  ])('keeps a conversation over a restart: %s', async (_, packages) => {
    const folder = await installWith(...packages);
    await writeFile(join(folder, 'main.js'), APPLICATION);
    const output = await run(process.execPath, ['main.js'], folder);

    expect(JSON.parse(output)).toEqual(['Go on', 'One.', 'Go on', 'Two.']);
  });

  it("takes the application's own kysely 0.29 by its type", async () => {
    const folder = await installWith(...OTHER_VERSIONS);
    await writeFile(join(folder, 'own.ts'), OF_THE_APPLICATION);
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const options = ['--strict', '--module', 'nodenext', '--target', 'es2023', '--skipLibCheck'];
    const compiling = run(process.execPath, [compiler, ...options, '--noEmit', 'own.ts'], folder);

    await expect(compiling).resolves.toBe('');
  });
});
