import { Body, Controller, Injectable, Param, Post } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsArray, IsOptional, IsString, ValidateNested } from 'class-validator';
import {
  type AuditRecord,
  type ChatResult,
  memoryStore,
  SESSION_STORE,
  type SessionStore,
  Tool,
  ToolField,
  ToolParam,
} from 'nestjs-agent';
import { Closers, ON_FASTIFY } from './http/agent-app';
import { SseStream } from './http/sse-client';

class CardDto {
  @IsString()
  label!: string;

  @ToolField({ sensitive: true })
  @IsString()
  number!: string;
}

class AccountDto {
  @IsString()
  name!: string;

  @ApiProperty({ writeOnly: true })
  @IsString()
  password!: string;

  @ApiProperty({ format: 'password' })
  @IsString()
  phrase!: string;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => CardDto)
  cards!: CardDto[];

  @IsOptional()
  @IsString()
  note?: string;
}

@Controller('accounts')
class AccountsController {
  static bodies: unknown[] = [];

  @Tool({ name: 'open_account', description: 'Opens an account' })
  @Post(':bank')
  open(@Param('bank') bank: string, @Body() account: AccountDto) {
    AccountsController.bodies.push({ bank, ...account });
    return 'opened';
  }
}

@Injectable()
class PinTools {
  static pins: string[] = [];

  @Tool({ description: 'Unlocks the door' })
  unlock(@ToolParam('door') door: string, @ToolParam('pin', { sensitive: true }) pin: string) {
    PinTools.pins.push(pin);
    return `${door} is open`;
  }
}

const SECRETS = /s3cret|open sesame|4111|5222|9876/;
const INPUT = {
  bank: 'north',
  name: 'ann',
  password: 's3cret',
  phrase: 'open sesame',
  cards: [
    { label: 'a', number: '4111' },
    { label: 'b', number: '5222' },
  ],
  note: null,
};
const SHOWN = {
  bank: 'north',
  name: 'ann',
  password: '[redacted]',
  phrase: '[redacted]',
  cards: [
    { label: 'a', number: '[redacted]' },
    { label: 'b', number: '[redacted]' },
  ],
};
const SENT = { ...INPUT, note: undefined };

describe.each(ON_FASTIFY)('sensitive arguments on %s', (adapter) => {
  const closers = new Closers();
  const records: AuditRecord[] = [];
  afterEach(async () => {
    await closers.close();
    records.length = 0;
    AccountsController.bodies = [];
    PinTools.pins = [];
  });

  async function start(name: string, input: object, more: object = {}) {
    const { app, url } = await closers.open({
      adapter,
      steps: [{ toolCalls: [{ name, input: input as never }] }, 'Done.'],
      controllers: [AccountsController],
      providers: [PinTools],
      ...more,
      audit: { sink: { record: (record) => void records.push(record) }, values: true },
    });
    const headers = { authorization: 'Bearer alice', 'content-type': 'application/json' };
    const request = async (
      path: string,
      body?: object,
    ): Promise<{ status: number; body: unknown }> => {
      const response = await fetch(`${url}/agent${path}`, {
        headers,
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      });
      return { status: response.status, body: await response.json() };
    };
    return { app, url, headers, request };
  }

  it('are masked in the approval, and sent as they were', async () => {
    const { request, app } = await start('open_account', INPUT);
    const asked = (await request('/chat', { message: 'open' })).body as ChatResult;
    expect(asked.pendingActions).toMatchObject([{ name: 'open_account', input: SHOWN }]);
    expect(asked.toolCalls).toMatchObject([{ input: { password: '[redacted]' } }]);
    const waiting = await request(`/runs/${asked.runId}`);
    const [{ callId = '' } = {}] = asked.pendingActions;
    const done = await request(`/runs/${asked.runId}/actions`, {
      actions: [{ callId, type: 'approve' }],
    });
    expect(AccountsController.bodies).toEqual([SENT]);
    const transcript = await request(`/sessions/${asked.sessionId}/messages`);
    const told = await request(`/runs/${asked.runId}`);
    for (const answer of [asked, waiting, done, transcript, told, records])
      expect(JSON.stringify(answer)).not.toMatch(SECRETS);
    expect(JSON.stringify(transcript)).toContain('[redacted]');
    expect(records).toMatchObject([{ tool: 'open_account', arguments: SHOWN }]);
    // The journal keeps them: the call must be made after a restart as well.
    const kept = await app.get<SessionStore>(SESSION_STORE).read(asked.sessionId);
    expect(JSON.stringify(kept)).toContain('s3cret');
  });

  it('mean the stored values where masks come back with an edited input', async () => {
    const { request } = await start('open_account', INPUT);
    const asked = (await request('/chat', { message: 'open' })).body as ChatResult;
    const [{ callId = '' } = {}] = asked.pendingActions;
    const [first, second] = SHOWN.cards;
    const approve = (input: object) =>
      request(`/runs/${asked.runId}/actions`, { actions: [{ callId, type: 'approve', input }] });
    const refused = await approve({ ...SHOWN, cards: [{ label: 'new', number: '[redacted]' }] });
    expect(refused).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('/cards/0/number') },
    });
    const done = await approve({ ...SHOWN, name: 'bob', cards: [second, first] });
    expect(done.status).toBe(200);
    expect(AccountsController.bodies).toEqual([
      { ...SENT, name: 'bob', cards: [INPUT.cards[1], INPUT.cards[0]] },
    ]);
    expect(JSON.stringify([refused, done])).not.toMatch(SECRETS);
  });

  it('stay masked in a release that has the tool no more', async () => {
    const sessions = { store: memoryStore() };
    const { request: before } = await start('open_account', INPUT, { sessions });
    const asked = (await before('/chat', { message: 'open' })).body as ChatResult;
    const next = { sessions, controllers: [], providers: [], steps: ['Done.'] };
    const { request } = await start('', {}, next);
    const waiting = (await request(`/runs/${asked.runId}`)).body;
    expect(waiting).toMatchObject({ pendingActions: [{ input: SHOWN }] });
    const [{ callId = '' } = {}] = asked.pendingActions;
    const actions = [{ callId, type: 'approve' }];
    const done = (await request(`/runs/${asked.runId}/actions`, { actions })).body;
    expect(done).toMatchObject({ status: 'completed', toolCalls: [{ isError: true }] });
    const told = await request(`/runs/${asked.runId}`);
    const transcript = await request(`/sessions/${asked.sessionId}/messages`);
    for (const answer of [waiting, done, told, transcript, records])
      expect(JSON.stringify(answer)).not.toMatch(SECRETS);
    expect(JSON.stringify(transcript)).toContain('[redacted]');
    expect(records).toMatchObject([
      { tool: 'open_account', errorCode: 'not_found', arguments: SHOWN },
    ]);
    expect(AccountsController.bodies).toEqual([]);
  });

  it('are in no event, while it is told nor when it is read again', async () => {
    const { url, headers } = await start('unlock', { door: 'front', pin: '9876' });
    const stream = await SseStream.open(`${url}/agent/chat/stream`, {
      headers,
      body: { message: 'unlock' },
    });
    const events = await stream.all();
    const names = events.map(({ type }) => type);
    expect(names).toContain('tool.call');
    expect(names).not.toContain('tool.input.delta');
    expect(PinTools.pins).toEqual(['9876']);
    const again = await SseStream.open(`${url}/agent/runs/${events[0]?.runId}/events`, { headers });
    expect(JSON.stringify([events, await again.all(), records])).not.toMatch(SECRETS);
  });
});

it('is what is sent that an approval shows: without left-out nulls, as text where that is sent', async () => {
  const closers = new Closers();
  const { url } = await closers.open({
    steps: [{ toolCalls: [{ name: 'open_account', input: { ...INPUT, bank: 7 } }] }, 'Done.'],
    controllers: [AccountsController],
  });
  try {
    AccountsController.bodies = [];
    const post = async (path: string, body: object): Promise<ChatResult> => {
      const response = await fetch(`${url}/agent${path}`, {
        method: 'POST',
        headers: { authorization: 'Bearer alice', 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return (await response.json()) as ChatResult;
    };
    const { runId, pendingActions } = await post('/chat', { message: 'open' });
    const [action] = pendingActions;
    expect(action?.input).toEqual({ ...SHOWN, bank: '7' });
    await post(`/runs/${runId}/actions`, {
      actions: [{ callId: action?.callId, type: 'approve' }],
    });
    const [sent = {}] = AccountsController.bodies as object[];
    const { password, phrase, cards } = SHOWN;
    expect({ ...sent, password, phrase, cards }).toEqual(action?.input);
  } finally {
    await closers.close();
  }
});
