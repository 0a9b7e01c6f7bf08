import { databaseUrl, dropSchema, newSchemaName, runSql } from '../services/postgres';
import { describeReadme } from './support/readme';

const schema = newSchemaName();

/** The servers of test:services, and a schema that goes afterwards. */
async function environment(): Promise<NodeJS.ProcessEnv> {
  await runSql(`create schema ${schema}`);
  const url = new URL(databaseUrl());
  url.searchParams.set('options', `-c search_path=${schema}`);
  return { DATABASE_URL: url.href, QUEUE_PREFIX: schema };
}

describeReadme(
  'workers-bullmq',
  (example) => {
    it('runs the tool in the worker', () => example().printed(/\[worker\].+reports 2025/));
    afterAll(() => dropSchema(schema));
  },
  environment,
);
