import {
  CanActivate,
  Controller,
  ExecutionContext,
  ForbiddenException,
  Get,
  Injectable,
  Module,
  Param,
  ParseIntPipe,
  UseGuards,
  type INestApplication,
} from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { LLMock } from '@copilotkit/aimock';
import type { Request } from 'express';
import { AgentModule, openai, Tool, ToolError, Toolkit, ToolParam } from 'nestjs-agent';

/** Who the caller is stands in a header here; what counts is that the guard reads the request. */
@Injectable()
class UserGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request & { user?: { id: string } }>();
    const id = request.header('authorization')?.replace('Bearer ', '');
    if (id === undefined) return false;
    request.user = { id };
    return true;
  }
}

@Injectable()
class AdminGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { user } = context.switchToHttp().getRequest<{ user?: { id: string } }>();
    if (user?.id !== 'bob') throw new ForbiddenException('Only an administrator may see this.');
    return true;
  }
}

@Toolkit({ description: 'Arithmetic' })
@Injectable()
class MathTools {
  @Tool({ description: 'Add two integers', readOnly: true })
  add(@ToolParam('a') a: number, @ToolParam('b') b: number): number {
    return a + b;
  }

  @Tool({ description: 'Divide two numbers', readOnly: true })
  divide(@ToolParam('a') a: number, @ToolParam('b') b: number): number {
    if (b === 0) throw new ToolError('Nothing can be divided by zero.');
    return a / b;
  }
}

@Controller('orders')
@UseGuards(UserGuard)
class OrdersController {
  @Tool({ description: 'Look an order up by its id' })
  @Get(':id')
  find(@Param('id', ParseIntPipe) id: number): { id: number; item: string } {
    return { id, item: 'lamp' };
  }

  @Tool({ name: 'list_salaries', description: 'List what everybody earns' })
  @Get('secret/salaries')
  @UseGuards(AdminGuard)
  salaries(): readonly string[] {
    return ['alice: 5', 'bob: 6'];
  }
}

type ChatBody = Record<string, unknown> & {
  readonly sessionId: string;
  readonly toolCalls: readonly { name: string; output: string; isError: boolean }[];
};

describe('an agent on the openai package', () => {
  const server = new LLMock({ port: 0 });
  let app: INestApplication;
  let url: string;

  const appWith = async (baseURL: string): Promise<[INestApplication, string]> => {
    @Module({
      imports: [
        AgentModule.forRoot({
          model: openai({
            model: 'gpt-test',
            apiKey: 'test-key',
            baseURL,
            retry: { maxAttempts: 1 },
          }),
          decorators: [UseGuards(UserGuard)],
          maxSteps: 3,
        }),
      ],
      controllers: [OrdersController],
      providers: [MathTools],
    })
    class AppModule {}
    const module = await Test.createTestingModule({ imports: [AppModule] }).compile();
    const created = module.createNestApplication({ logger: false });
    await created.listen(0, '127.0.0.1');
    return [created, await created.getUrl()];
  };

  beforeAll(async () => {
    await server.start();
    [app, url] = await appWith(`${server.url}/v1`);
  });
  afterAll(async () => {
    await app.close();
    await server.stop();
  });

  const post = (path: string, body: object, user = 'alice', base = url): Promise<Response> =>
    fetch(`${base}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${user}` },
      body: JSON.stringify(body),
    });
  const chat = async (body: object, user = 'alice'): Promise<ChatBody> => {
    const response = await post('/agent/chat', body, user);
    expect(response.status).toBe(200);
    return (await response.json()) as ChatBody;
  };
  const scripted = (message: string, first: object, then: string): void => {
    server.on({ userMessage: message, hasToolResult: false }, first);
    server.on({ userMessage: message, hasToolResult: true }, { content: then });
  };
  const lastRequest = (): string => JSON.stringify(server.getRequests().at(-1)?.body);

  it('answers with text', async () => {
    server.on({ userMessage: 'good morning' }, { content: 'Good morning to you.' });
    const body = await chat({ message: 'good morning' });
    expect(body).toMatchObject({
      status: 'completed',
      stopReason: 'end_turn',
      message: 'Good morning to you.',
      toolCalls: [],
      pendingActions: [],
    });
    expect(body.tokensUsed).toBeGreaterThan(0);
  });

  it('uses a provider method', async () => {
    scripted(
      'add them',
      { toolCalls: [{ name: 'add', arguments: '{"a":2,"b":40}' }] },
      'That makes 42.',
    );
    const body = await chat({ message: 'add them' });
    expect(body.message).toBe('That makes 42.');
    expect(body.toolCalls).toMatchObject([{ name: 'add', output: '42', isError: false }]);
    expect(lastRequest()).toContain('"42"');
  });

  it('uses a controller route, as the caller', async () => {
    scripted(
      'order seven',
      { toolCalls: [{ name: 'orders_find', arguments: '{"id":7}' }] },
      'A lamp.',
    );
    const { toolCalls } = await chat({ message: 'order seven' });
    expect(toolCalls).toMatchObject([{ name: 'orders_find', isError: false }]);
    expect(toolCalls[0]?.output).toContain('lamp');
  });

  it('uses two tools in one reply, beside its text', async () => {
    scripted(
      'both please',
      {
        content: 'I look both up.',
        toolCalls: [
          { name: 'add', arguments: '{"a":1,"b":2}' },
          { name: 'orders_find', arguments: '{"id":3}' },
        ],
      },
      'Three, and a lamp.',
    );
    const body = await chat({ message: 'both please' });
    expect(body.toolCalls.map(({ name }) => name)).toEqual(['add', 'orders_find']);
    expect(lastRequest()).toContain('I look both up.');
    expect(body.message).toBe('Three, and a lamp.');
  });

  it('tells the model why a tool failed', async () => {
    scripted(
      'divide by nothing',
      { toolCalls: [{ name: 'divide', arguments: '{"a":1,"b":0}' }] },
      'That is not possible.',
    );
    const { toolCalls } = await chat({ message: 'divide by nothing' });
    expect(toolCalls).toMatchObject([
      { isError: true, output: expect.stringContaining('Nothing can be divided by zero.') },
    ]);
    expect(lastRequest()).toContain('Nothing can be divided by zero.');
  });

  it("does for each caller what the route's guard allows", async () => {
    const call = { toolCalls: [{ name: 'list_salaries', arguments: '{}' }] };
    scripted('who earns what', call, 'See above.');
    const refused = await chat({ message: 'who earns what' }, 'alice');
    expect(refused.toolCalls).toMatchObject([{ isError: true }]);
    expect(refused.toolCalls[0]?.output).toMatch(/permission/i);
    expect(refused.toolCalls[0]?.output).not.toContain('alice: 5');
    const allowed = await chat({ message: 'who earns what' }, 'bob');
    expect(allowed.toolCalls).toMatchObject([{ isError: false }]);
    expect(allowed.toolCalls[0]?.output).toContain('alice: 5');
  });

  it('sends wrong arguments back with JSON pointers', async () => {
    scripted(
      'add nonsense',
      { toolCalls: [{ name: 'add', arguments: '{"a":"two","c":1}' }] },
      'Sorry.',
    );
    const { toolCalls } = await chat({ message: 'add nonsense' });
    expect(toolCalls).toMatchObject([{ isError: true }]);
    for (const part of ['/a', 'b', 'c']) expect(toolCalls[0]?.output).toContain(part);
  });

  it('stops at the step limit', async () => {
    let count = 0;
    server.on({ userMessage: 'never stop' }, () => {
      count += 1;
      return { toolCalls: [{ name: 'add', arguments: `{"a":${count},"b":1}` }] };
    });
    const body = await chat({ message: 'never stop' });
    expect(body).toMatchObject({
      status: 'completed',
      stopReason: 'max_steps',
      message:
        "I've executed the requested actions, but the conversation exceeded the maximum number of iterations.",
    });
    expect(count).toBe(3);
  });

  it('keeps the conversation', async () => {
    server.on({ userMessage: 'I am Ada' }, { content: 'Hello Ada.' });
    server.on({ userMessage: 'who am I' }, { content: 'Ada.' });
    const { sessionId } = await chat({ message: 'I am Ada' });
    await chat({ message: 'who am I', sessionId });
    expect(lastRequest()).toContain('Hello Ada.');
    const foreign = await post('/agent/chat', { message: 'who am I', sessionId }, 'bob');
    expect(foreign.status).toBe(404);
  });

  it('streams typed events', async () => {
    scripted(
      'stream it',
      { toolCalls: [{ name: 'add', arguments: '{"a":5,"b":6}' }] },
      'It is eleven.',
    );
    const response = await post('/agent/chat/stream', { message: 'stream it' });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const frames = (await response.text()).trim().split('\n\n');
    const events = frames
      .filter((frame) => !frame.startsWith(':'))
      .map(
        (frame) =>
          JSON.parse(/^data: (.*)$/m.exec(frame)?.[1] ?? '') as { type: string; delta: string },
      );
    const types = events.map(({ type }) => type);
    expect(types[0]).toBe('run.started');
    expect(types.at(-1)).toBe('run.finished');
    expect(types.indexOf('tool.call')).toBeLessThan(types.indexOf('tool.result'));
    const text = events.filter(({ type }) => type === 'text.delta').map(({ delta }) => delta);
    expect(text.join('')).toBe('It is eleven.');
  });

  it('says clearly that the model cannot be reached, and the session goes on', async () => {
    const [broken, brokenUrl] = await appWith('http://127.0.0.1:9/v1');
    try {
      const failed = await post('/agent/chat', { message: 'hello' }, 'alice', brokenUrl);
      const body = (await failed.json()) as { sessionId: string };
      expect(failed.status).toBe(502);
      expect(body).toMatchObject({ statusCode: 502, code: 'model_unavailable' });
      expect(JSON.stringify(body)).not.toContain('test-key');
      const again = await post(
        '/agent/chat/stream',
        { message: 'still there?', sessionId: body.sessionId },
        'alice',
        brokenUrl,
      );
      expect(again.status).toBe(200);
      const text = await again.text();
      expect(text).toContain('event: error');
      expect(text).toContain('"code":"model_unavailable"');
      expect(text.trim().split('\n\n').at(-1)).toContain('event: run.finished');
    } finally {
      await broken.close();
    }
  });

  it('refuses what it cannot use, in the envelope of NestJS', async () => {
    for (const body of [{}, { message: 7 }, { message: 'hi', unknown: true }]) {
      const response = await post('/agent/chat', body);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        statusCode: 400,
        error: 'Bad Request',
        message: expect.anything(),
      });
    }
    const nobody = await fetch(`${url}/agent/chat`, { method: 'POST' });
    expect(nobody.status).toBe(403);
  });
});
