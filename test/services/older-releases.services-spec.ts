import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Body, Controller, Get, Param, ParseIntPipe, Post, UseGuards } from '@nestjs/common';
import { IsInt, IsString, Length, Min } from 'class-validator';
import { type ChatResult, Tool, ToolField } from 'nestjs-agent';
import { sqlStore } from 'nestjs-agent/sql';
import { BearerGuard, Closers } from '../http/agent-app';
import { databaseUrl, dropSchema, newSchemaName, runSql } from './postgres';

/** Databases that packed releases wrote: scripts/upgrade/record.mjs. */
const RELEASES = join(__dirname, 'releases');
const releases = readdirSync(RELEASES).map((file) => basename(file, '.sql'));

class NewOrder {
  @ToolField({ description: 'What to order' })
  @IsString()
  @Length(1, 40)
  article!: string;

  @ToolField({ description: 'How many' })
  @IsInt()
  @Min(1)
  quantity!: number;
}

interface Listed {
  readonly sessionId: string;
  readonly run: { readonly runId: string };
}

const placed: NewOrder[] = [];

/** The tools of the application that wrote the database: an approval holds for the tool as it was shown. */
@Controller('orders')
@UseGuards(BearerGuard)
class OrdersController {
  @Tool({ name: 'get_order', description: 'Look an order up by its number' })
  @Get(':id')
  find(@Param('id', ParseIntPipe) id: number): object {
    return { id };
  }

  @Tool({ name: 'place_order', description: 'Order something' })
  @Post()
  place(@Body() order: NewOrder): object {
    placed.push(order);
    return { placed: order.quantity };
  }
}

describe.each(releases)('a database written by release %s', (release) => {
  const connectionString = databaseUrl();
  const schema = newSchemaName();
  const closers = new Closers();
  let agent: string;

  beforeAll(async () => {
    const dump = readFileSync(join(RELEASES, `${release}.sql`), 'utf8');
    await runSql(dump.replaceAll('agent_recorded', schema));
    const { url } = await closers.open({
      sessions: { store: sqlStore({ connectionString, schema }), expireAfterMs: false },
      steps: ['It is ordered.'],
      controllers: [OrdersController],
    });
    agent = `${url}/agent`;
  });
  afterAll(async () => {
    await closers.close();
    await dropSchema(schema);
  });

  async function request<Answer>(path: string, user: string, body?: object): Promise<Answer> {
    const response = await fetch(`${agent}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${user}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    expect(response.status).toBe(200);
    return (await response.json()) as Answer;
  }

  const sessionsOf = (user: string) => request<readonly Listed[]>('/sessions', user);

  it('belongs to those who owned it, and to nobody else', async () => {
    expect(await sessionsOf('alice')).toHaveLength(1);
    expect(await sessionsOf('bob')).toEqual([]);
  });

  it('goes on where it stopped: its call is approved, and runs once', async () => {
    const [session] = await sessionsOf('alice');
    const messages = await request<object>(`/sessions/${session?.sessionId}/messages`, 'alice');
    expect(JSON.stringify(messages)).toMatch(/where is 17\?.*Order 17 is yours\..*three lamps/);

    const run = `/runs/${session?.run.runId}`;
    const { status, pendingActions } = await request<ChatResult>(run, 'alice');
    expect(status).toBe('requires_action');
    const actions = pendingActions.map(({ callId }) => ({ callId, type: 'approve' }));
    const answered = await request<ChatResult>(`${run}/actions`, 'alice', {
      actions,
    });

    expect(answered).toMatchObject({ status: 'completed', message: 'It is ordered.' });
    expect(placed).toEqual([{ article: 'lamp', quantity: 3 }]);
  });
});
