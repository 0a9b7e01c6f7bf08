// An application whose runs pass from web processes to workers, in a process of its own. Its model
// does what the message says: "<tag>: <order>; <order>; …", a step each, and then ends. It prints its
// address when it is up, and afterwards a line for each deed.
import 'reflect-metadata';
import { readFileSync, writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import {
  ConsoleLogger,
  Controller,
  Get,
  Injectable,
  Logger,
  Module,
  Param,
  Post,
  Req,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  AgentModule,
  textOf,
  Tool,
  Toolkit,
  ToolParam,
  type ChatModel,
  type ModelEvent,
  type ModelRequest,
  type RunCredentials,
  type RunQueue,
} from 'nestjs-agent';
import { bullmqRuns } from 'nestjs-agent/bullmq';
import { redisBus } from 'nestjs-agent/redis';
import { sqlStore } from 'nestjs-agent/sql';
import { CANARY } from './canary';
import { dyingStore } from './dying-store';

export interface WorkerSettings {
  readonly role: 'web' | 'worker';
  readonly databaseUrl: string;
  readonly schema: string;
  /** Of the bus and the queue; without one there is no bus, and the queue is in the database. */
  readonly redisPort?: number;
  readonly leaseMs: number;
  /** The file with the users who may no longer log in. */
  readonly revoked: string;
  readonly concurrency: number;
  readonly drainMs: number;
  /** How far this process's clock is ahead. */
  readonly aheadMs: number;
  /** `here` executes runs in the process that accepts them, without a queue. */
  readonly runs?: 'here';
}

/** A deed of a process. */
export interface Deed {
  readonly kind: 'speaks' | 'writes' | 'wrote' | 'looks' | 'unlocks';
  /** The message's. */
  readonly tag: string;
  /** Counts the run's steps from 0. */
  readonly step: number;
  /** Who did it, for a route. */
  readonly user?: string;
}

const settings = JSON.parse(process.argv[2] ?? '{}') as WorkerSettings;
const WORD_MS = 15;
const WRITE_MS = 150;
const PRESET = `${CANARY}-preset`;

if (settings.aheadMs > 0) {
  const { now } = Date;
  Date.now = () => now() + settings.aheadMs;
}

/** Written at once, so that it is told even if the process is killed right after. */
function told(deed: Deed): void {
  writeSync(1, `${JSON.stringify(deed)}\n`);
}

class ObedientModel implements ChatModel {
  readonly name = 'obedient';
  readonly capabilities = { tools: true };
  private readonly logger = new Logger('Model');

  async *stream(
    { messages }: ModelRequest,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): AsyncGenerator<ModelEvent> {
    const said = messages.findLastIndex(
      ({ role, content }) => role === 'user' && content.some(({ type }) => type === 'text'),
    );
    const [tag = '', orders = ''] = textOf(messages[said] ?? { content: [] }).split(': ');
    const step = messages.slice(said).filter(({ role }) => role === 'assistant').length;
    const order = orders.split('; ')[step] ?? 'end';
    told({ kind: 'speaks', tag, step });
    this.logger.verbose(`${tag} ${step}`);
    if (order.includes('shout')) this.logger.error(tag);
    const words = Number(/say (\d+)/.exec(order)?.[1] ?? 1);
    for (let word = 0; word < words; word += 1) {
      yield { type: 'text.delta', delta: `${step}.${word} ` };
      await delay(WORD_MS, undefined, { ...(signal && { signal }) });
    }
    const tool = /look|write|remove|unlock/.exec(order)?.[0];
    if (tool) yield { type: 'tool_use', id: '', name: tool, input: { tag, step: String(step) } };
    yield { type: 'finish', reason: tool ? 'tool_use' : 'end_turn' };
  }
}

interface LoggedIn {
  readonly headers: { readonly authorization?: string };
  user?: { id: string };
}

/** Tokens are `<anything>:<user>`. */
@Injectable()
class LoginGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<LoggedIn>();
    const id = request.headers.authorization?.split(':')[1];
    const revoked = readFileSync(settings.revoked, 'utf8').split('\n');
    if (id === undefined || revoked.includes(id)) return false;
    request.user = { id };
    return true;
  }
}

@Controller('deeds/:tag/:step')
@UseGuards(LoginGuard)
class DeedsController {
  @Get()
  @Tool({ name: 'look', description: 'Looks' })
  look(@Param('tag') tag: string, @Param('step') step: string, @Req() request: LoggedIn): string {
    told({ kind: 'looks', tag, step: Number(step), user: request.user?.id ?? '' });
    return 'seen';
  }

  @Post()
  @Tool({ name: 'write', description: 'Writes' })
  write(
    @Param('tag') tag: string,
    @Param('step') step: string,
    @Req() request: LoggedIn,
  ): Promise<string> {
    return this.written({ tag, step: Number(step), user: request.user?.id ?? '' });
  }

  @Post('remove')
  @Tool({ name: 'remove', description: 'Removes', destructive: true })
  remove(
    @Param('tag') tag: string,
    @Param('step') step: string,
    @Req() request: LoggedIn,
  ): Promise<string> {
    return this.written({ tag, step: Number(step), user: request.user?.id ?? '' });
  }

  private async written(of: Omit<Deed, 'kind'>): Promise<string> {
    told({ kind: 'writes', ...of });
    await delay(WRITE_MS);
    told({ kind: 'wrote', ...of });
    return 'written';
  }
}

/** A provider's tool behind a guard, with an argument that the model never sees. */
@Toolkit({ description: 'Locks' })
@Injectable()
class Locks {
  @Tool({ description: 'Unlocks', readOnly: true })
  @UseGuards(LoginGuard)
  unlock(
    @ToolParam('tag') tag: string,
    @ToolParam('step') step: string,
    @ToolParam('key') key: string,
  ): string {
    if (key !== PRESET) return 'the key does not fit';
    told({ kind: 'unlocks', tag, step: Number(step) });
    return 'the key fits';
  }
}

/** The users `as-<user>` are given another one's credential. */
const credentials: RunCredentials = {
  delegate: (request) => `${CANARY}-claim:${(request as LoggedIn).user?.id}`,
  redeem: (claim) => ({
    headers: {
      authorization: `Bearer ${CANARY}-minted:${claim.split(':')[1]?.replace(/^as-/, '')}`,
    },
    expiresAt: new Date(Date.now() + 600_000),
  }),
  secrets: [`${CANARY}-secret-of-at-least-32-characters`],
};

function queue(): RunQueue {
  const { role, concurrency, databaseUrl, schema, redisPort: port } = settings;
  const options = { role, concurrency, maxAttempts: 20, credentials };
  if (port !== undefined) return bullmqRuns({ ...options, connection: { port } });
  const connection = { connectionString: databaseUrl, schema: `${schema}_jobs` };
  return bullmqRuns({ ...options, backend: 'postgres', connection });
}

@Module({
  imports: [
    AgentModule.forRoot({
      model: new ObedientModel(),
      decorators: [UseGuards(LoginGuard)],
      ...(settings.redisPort !== undefined && {
        bus: redisBus({ url: `redis://127.0.0.1:${settings.redisPort}` }),
      }),
      ...(settings.runs !== 'here' && { runs: queue() }),
      permissions: { write: 'allow' },
      presets: { unlock: { key: PRESET } },
      forwardHeaders: ['x-api-key'],
      onDisconnect: 'continue',
      shutdown: { drainMs: settings.drainMs },
      limits: { runsPerPrincipal: 2_000, queueTimeoutMs: 600_000 },
      sessions: {
        store: dyingStore(
          sqlStore({ connectionString: settings.databaseUrl, schema: settings.schema }),
          settings,
        ),
        leaseMs: settings.leaseMs,
        compaction: false,
      },
      audit: {
        sink: { record: (record) => void writeSync(1, `audit ${JSON.stringify(record)}\n`) },
        values: true,
      },
    }),
  ],
  controllers: [DeedsController],
  providers: [Locks],
})
class AppModule {}

async function main(): Promise<void> {
  const app = await NestFactory.create(AppModule, { logger: new ConsoleLogger({ colors: false }) });
  app.enableShutdownHooks([], { useProcessExit: true });
  await app.listen(0, '127.0.0.1');
  process.stdout.write(`${await app.getUrl()}\n`);
}

void main();
