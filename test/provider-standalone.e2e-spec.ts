import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Injectable,
  Logger,
  Module,
  UseGuards,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Tool, ToolParam, ToolRegistry } from 'nestjs-agent';
import { toolModule } from './support/tool-application';

@Injectable()
class HeaderGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context
      .switchToHttp()
      .getRequest<{ readonly headers: Readonly<Record<string, string>> }>();
    return request.headers['authorization'] !== undefined;
  }
}

@Injectable()
class UserGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return Boolean(context.switchToHttp().getRequest<{ user?: string } | undefined>()?.user);
  }
}

/** Lets everything but HTTP pass, as many guards of hybrid applications do. */
@Injectable()
class HttpOnlyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (context.getType() !== 'http') return true;
    return context.switchToHttp().getRequest<unknown>() !== undefined;
  }
}

@Injectable()
class ConsoleTools {
  @Tool({ description: 'Add' })
  add(@ToolParam('a') a: number, @ToolParam('b') b: number): number {
    return a + b;
  }

  @UseGuards(HeaderGuard)
  @Tool({ description: 'Needs a header' })
  header(): string {
    return 'open';
  }

  @UseGuards(UserGuard)
  @Tool({ description: 'Needs a user' })
  user(): string {
    return 'open';
  }

  @UseGuards(HttpOnlyGuard)
  @Tool({ description: 'Needs HTTP' })
  http(): string {
    return 'open';
  }
}

@Controller('orders')
class OrdersController {
  @Tool({ description: 'List orders' })
  @Get()
  findAll(): string[] {
    return [];
  }
}

@Module({
  imports: [toolModule()],
  providers: [ConsoleTools],
  controllers: [OrdersController],
})
class ConsoleModule {}

describe('an application without HTTP', () => {
  it('runs provider tools, skips routes, and keeps guarded ones closed', async () => {
    const log = jest.spyOn(Logger.prototype, 'log').mockImplementation();
    const app = await NestFactory.createApplicationContext(ConsoleModule, { logger: false });
    const registry = app.get(ToolRegistry, { strict: false });
    expect(registry.list().map(({ name }) => name)).toEqual(['add', 'header', 'user', 'http']);
    expect(log).toHaveBeenCalledWith(expect.stringContaining('OrdersController.findAll'));
    log.mockRestore();

    const call = async (name: string, input = {}) => {
      const tool = registry.find(name);
      return tool?.invoke({
        args: await tool.bind(input),
        context: {
          call: {} as never,
          signal: new AbortController().signal,
          emit: () => undefined,
        },
        callContext: {},
        attempt: 1,
        idempotencyKey: '',
      });
    };
    expect(await call('add', { a: 1, b: 2 })).toBe(3);
    for (const [name, guard] of [
      ['header', 'HeaderGuard'],
      ['user', 'UserGuard'],
      ['http', 'HttpOnlyGuard'],
    ] as const) {
      await expect(call(name)).rejects.toMatchObject({
        status: 403,
        message: expect.stringMatching(new RegExp(`^${guard} refused this call`)),
      });
    }
    await app.close();
  });
});
