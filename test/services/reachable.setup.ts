import { databaseUrl, runSql } from './postgres';

/** Nothing is skipped in silence: without a server the run says so, and fails. */
export default async function requirePostgres(): Promise<void> {
  try {
    await runSql('select 1');
  } catch (error) {
    const { host, pathname } = new URL(databaseUrl());
    const reason = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    process.stderr.write(
      `\ntest:services could not reach PostgreSQL at ${host}${pathname}${reason}. Nothing was tested.\n` +
        'Start a server there, or set DATABASE_URL to one that is running.\n\n',
    );
    process.exit(1);
  }
}
