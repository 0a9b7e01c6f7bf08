import { Pool, type PoolClient } from 'pg';
import { databaseUrl } from './postgres';

interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

/** A pool of one connection that records its statements, with their plans. */
export class RecordedPool {
  readonly pool = new Pool({ connectionString: databaseUrl(), max: 1 });
  sent: Statement[] = [];

  constructor() {
    this.pool.on('connect', (client: PoolClient) => {
      const query = client.query.bind(client) as (...args: unknown[]) => unknown;
      client.query = ((...args: unknown[]) => {
        const [text, values] = args as [unknown, unknown[]?];
        if (typeof text === 'string') this.sent.push({ text, values: values ?? [] });
        return query(...args);
      }) as typeof client.query;
    });
  }

  /** The lines of the last statement's plan. */
  async planOfLast(): Promise<readonly string[]> {
    const { text, values } = this.sent.at(-1) ?? { text: '', values: [] };
    const { rows } = await this.pool.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
    return rows.map((row) => row['QUERY PLAN']);
  }
}
