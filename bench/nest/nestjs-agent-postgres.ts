// The same with sessions in PostgreSQL, in a schema that each start recreates.
import { Module } from '@nestjs/common';
import { sqlStore } from 'nestjs-agent/sql';
import { Client } from 'pg';
import { agentModule, serve } from './nest-server';
import { OrderTools } from './order-tools';

const connectionString = process.env['DATABASE_URL'] ?? '';
const schema = 'nestjs_agent_compare';
const store = sqlStore({ connectionString, schema });

@Module({ imports: [agentModule({ sessions: { store } })], providers: [OrderTools] })
class AppModule {}

async function dropSchema(): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  await client.query(`drop schema if exists ${schema} cascade`);
  await client.end();
}

void dropSchema().then(() => serve(AppModule));
