// An application with an agent, in a process of its own. Its model follows the message, and
// waits where it is told to until POST /control/go. It prints its address when it is up.
import 'reflect-metadata';
import { appendFileSync } from 'node:fs';
import {
  Controller,
  Injectable,
  Module,
  Post,
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
  type AgentModuleOptions,
  type ChatModel,
  type ModelEvent,
  type ModelRequest,
} from 'nestjs-agent';
import { sqlStore, type SqlStoreOptions } from 'nestjs-agent/sql';
import { Gate } from './gate';

export interface ServerSettings {
  readonly store: SqlStoreOptions;
  /** The file that the tools write their deeds to. */
  readonly deeds: string;
  readonly leaseMs?: number;
  readonly onDisconnect?: AgentModuleOptions['onDisconnect'];
  readonly runsPerPrincipal?: number;
}

const settings = JSON.parse(process.argv[2] ?? '{}') as ServerSettings;

const gate = new Gate();

class ObedientModel implements ChatModel {
  readonly name = 'obedient';
  readonly capabilities = { tools: true };

  async *stream(
    { messages }: ModelRequest,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): AsyncGenerator<ModelEvent> {
    const last = messages.at(-1);
    const order = last?.content.some(({ type }) => type === 'tool_result')
      ? 'end'
      : textOf(last ?? { content: [] });
    yield { type: 'text.delta', delta: 'Well.' };
    if (order.includes('wait')) await gate.wait(signal);
    if (order.includes('never heed')) await gate.wait();
    const tool = /(?:use) (\w+)/.exec(order)?.[1];
    if (tool === undefined) {
      yield { type: 'text.delta', delta: ' Done.' };
      yield { type: 'finish', reason: 'end_turn' };
      return;
    }
    yield { type: 'tool_use', id: '', name: tool, input: {} };
    yield { type: 'finish', reason: 'tool_use' };
  }
}

function deed(name: string): string {
  appendFileSync(settings.deeds, `${name}\n`);
  return `${name}: done`;
}

@Toolkit({ description: 'Deeds' })
@Injectable()
class Deeds {
  @Tool({ description: 'Writes' })
  write(): string {
    return deed('write');
  }

  @Tool({ description: 'Writes once the gate opens, whoever wants it to stop' })
  async linger(): Promise<string> {
    deed('linger begun');
    await gate.wait();
    return deed('linger');
  }

  @Tool({ description: 'Removes', destructive: true })
  remove(): string {
    return deed('remove');
  }
}

/** The bearer token is the user's name. */
@Injectable()
class BearerGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context
      .switchToHttp()
      .getRequest<{ headers: { authorization?: string }; user?: { id: string } }>();
    const id = request.headers.authorization?.replace('Bearer ', '');
    if (id === undefined) return false;
    request.user = { id };
    return true;
  }
}

@Controller('control')
class ControlController {
  @Post('go')
  go(): void {
    gate.open();
  }
}

@Module({
  imports: [
    AgentModule.forRoot({
      model: new ObedientModel(),
      decorators: [UseGuards(BearerGuard)],
      ...(settings.onDisconnect && { onDisconnect: settings.onDisconnect }),
      ...(settings.runsPerPrincipal && { limits: { runsPerPrincipal: settings.runsPerPrincipal } }),
      sessions: {
        store: sqlStore(settings.store),
        ...(settings.leaseMs !== undefined && { leaseMs: settings.leaseMs }),
        compaction: false,
      },
      audit: { record: () => undefined },
    }),
  ],
  controllers: [ControlController],
  providers: [Deeds],
})
class AppModule {}

async function main(): Promise<void> {
  const app = await NestFactory.create(AppModule, { logger: false });
  app.enableShutdownHooks([], { useProcessExit: true });
  await app.listen(0, '127.0.0.1');
  process.stdout.write(`${await app.getUrl()}\n`);
}

void main();
