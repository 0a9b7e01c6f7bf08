// Stores the database that the built package writes, for tests of later releases:
//   npm run build:package && npm run upgrade:record
// writes test/services/releases/<version>.sql. It needs a PostgreSQL in DATABASE_URL, and pg_dump.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { compile, install } from '../matrix/application.mjs';
import { pack } from '../package/pack.mjs';
import { built, root } from '../package/paths.mjs';
import { run } from '../package/run.mjs';

const SCHEMA = 'agent_recorded';
const url = process.env.DATABASE_URL ?? 'postgres://127.0.0.1:5432/test';
const { version } = JSON.parse(readFileSync(join(built, 'package.json'), 'utf8'));
const packages = { kysely: '*', pg: '*' };
const folder = mkdtempSync(join(tmpdir(), 'nestjs-agent-release-'));

try {
  const { path: tarball } = await pack(folder);
  const application = join(folder, 'application');
  await install(application, { nest: 'nest11', platform: 'express', packages, tarball });
  const program = await compile(application, { main: 'main.recorded', format: 'cjs' });
  const env = { ...process.env, DATABASE_URL: url, SCHEMA };
  await run(process.execPath, [program], { env, timeoutMs: 60_000 });
  const dump = await run('pg_dump', [
    ...['--schema', SCHEMA, '--inserts', '--no-owner', '--no-privileges', '--no-comments'],
    url,
  ]);
  const releases = join(root, 'test/services/releases');
  mkdirSync(releases, { recursive: true });
  writeFileSync(join(releases, `${version}.sql`), statements(dump));
} finally {
  await run('psql', [url, '--quiet', '--command', `drop schema if exists ${SCHEMA} cascade`]);
  rmSync(folder, { recursive: true, force: true });
}

/** The SQL of a dump: no comments, no commands of psql, no settings of the session. */
function statements(dump) {
  const lines = dump
    .split('\n')
    .filter((line) => !/^(?:--|\\|SET |SELECT pg_catalog\.)/.test(line));
  return `${lines
    .join('\n')
    .replaceAll(/\n{2,}/g, '\n')
    // No approval waits longer than a timer can last, 25 days; this one waits for later releases.
    .replaceAll(/(?<="expiresAt":")[^"]+/g, '2099-01-01T00:00:00.000Z')
    .trim()}\n`;
}
