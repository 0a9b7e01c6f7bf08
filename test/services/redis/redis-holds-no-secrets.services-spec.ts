import { randomUUID } from 'node:crypto';
import {
  Controller,
  Get,
  Injectable,
  Module,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
  type INestApplication,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Redis } from 'ioredis';
import {
  AgentModule,
  Tool,
  Toolkit,
  ToolParam,
  type ChatModel,
  type ModelEvent,
  type ModelRequest,
} from 'nestjs-agent';
import { redisBus } from 'nestjs-agent/redis';
import { SseStream } from '../../http/sse-client';
import { OwnRedis } from './server';

jest.setTimeout(120_000);

const RUNS = 1_000;
const AT_ONCE = 50;
const CANARY = 'planted';
const PRESET = `${CANARY}-preset-value`;
const headersOf = (user: number) => ({
  authorization: `Bearer ${CANARY}-token-${user}`,
  cookie: `session=${CANARY}-cookie-${user}`,
  'x-api-key': `${CANARY}-key-${user}`,
});

/** Calls both tools, and then ends. */
class CallingModel implements ChatModel {
  readonly name = 'calling';
  readonly capabilities = { tools: true };

  async *stream({ messages }: ModelRequest): AsyncGenerator<ModelEvent> {
    const isAnswered = messages.at(-1)?.content.some(({ type }) => type === 'tool_result') === true;
    if (isAnswered) yield { type: 'text.delta', delta: 'Done.' };
    else
      for (const name of ['use_key', 'list_accounts'])
        yield { type: 'tool_use', id: '', name, input: {} };
    yield { type: 'finish', reason: isAnswered ? 'end_turn' : 'tool_use' };
  }
}

@Injectable()
class AnyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    context.switchToHttp().getRequest<{ user?: object }>().user = { id: randomUUID() };
    return true;
  }
}

@Toolkit({ description: 'Keys' })
@Injectable()
class Keys {
  @Tool({ description: 'Uses a key that the model never sees', readOnly: true })
  use_key(@ToolParam('key') key: string): string {
    return key === PRESET ? 'the key fits' : 'it does not fit';
  }
}

@Controller('accounts')
class AccountsController {
  @Tool({ name: 'list_accounts', description: 'Lists the accounts' })
  @Get()
  list(): readonly string[] {
    return ['savings'];
  }
}

describe('Redis', () => {
  let redis: OwnRedis;
  let app: INestApplication;

  beforeAll(async () => {
    redis = await OwnRedis.start();
    @Module({
      imports: [
        AgentModule.forRoot({
          model: new CallingModel(),
          bus: redisBus({ url: redis.url }),
          decorators: [UseGuards(AnyGuard)],
          presets: { use_key: { key: PRESET } },
          audit: { record: () => undefined },
        }),
      ],
      controllers: [AccountsController],
      providers: [Keys],
    })
    class AppModule {}
    app = await NestFactory.create(AppModule, { logger: false });
    await app.listen(0, '127.0.0.1');
  });
  afterAll(async () => {
    await app.close();
    await redis.remove();
  });

  it(`is told no header, cookie or preset value in ${RUNS} runs, in no key and no message`, async () => {
    const client = new Redis(redis.url);
    const monitor = await client.monitor();
    const told: string[] = [];
    monitor.on('monitor', (_time: string, command: readonly string[]) =>
      told.push(command.join(' ')),
    );
    const url = `${await app.getUrl()}/agent/chat/stream`;
    for (let run = 0; run < RUNS; run += AT_ONCE) {
      const streams = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, index) =>
          SseStream.open(url, { headers: headersOf(run + index), body: { message: 'use both' } }),
        ),
      );
      for (const events of await Promise.all(streams.map((stream) => stream.all()))) {
        expect(events.at(-1)).toMatchObject({ type: 'run.finished' });
      }
    }
    const keys = await client.keys('*');
    const dump: string[] = [];
    for (const key of keys) {
      const isState = key.endsWith(':at');
      const value = isState ? await client.hgetall(key) : await client.xrange(key, '-', '+');
      dump.push(key, JSON.stringify(value));
    }
    monitor.disconnect();
    client.disconnect();
    expect(keys).toHaveLength(2 * RUNS);
    expect(dump.filter((text) => text.includes('the key fits'))).toHaveLength(RUNS);
    expect(told.length).toBeGreaterThan(RUNS);
    expect([...dump, ...told].filter((text) => text.includes(CANARY))).toEqual([]);
  });
});
