import serverlessExpress from '@codegenie/serverless-express';
import awsLambdaFastify from '@fastify/aws-lambda';
import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Injectable,
  Module,
  Param,
  UseGuards,
} from '@nestjs/common';
import { type AbstractHttpAdapter, NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { RequestListener } from 'node:http';
import { AgentModule, Tool } from 'nestjs-agent';
import { McpServerModule } from 'nestjs-agent/mcp';
import { ScriptedModel } from 'nestjs-agent/testing';
import serverlessHttp from 'serverless-http';

interface Answer {
  readonly statusCode: number;
  readonly body: string;
}

type Handler = (event: object, context: object) => Promise<Answer>;

interface UserRequest {
  readonly headers: Readonly<Record<string, string | undefined>>;
  user?: { readonly id: string };
}

@Injectable()
class UserGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<UserRequest>();
    const { authorization: id } = request.headers;
    if (id !== undefined) request.user = { id };
    return id !== undefined;
  }
}

@UseGuards(UserGuard)
@Controller('orders')
class OrdersController {
  @Tool({ name: 'find_order', description: 'Find an order by its id' })
  @Get(':id')
  find(@Param('id') id: string) {
    return { id };
  }
}

/** A call through AWS's API Gateway, or a URL of the function. */
function eventOf(path: string, body: object, headers: Readonly<Record<string, string>> = {}) {
  const http = { method: 'POST', path, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: '' };
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString: '',
    headers: { host: 'shop.example', 'content-type': 'application/json', ...headers },
    requestContext: { http, stage: '$default', requestId: 'request', timeEpoch: 0 },
    body: JSON.stringify(body),
    isBase64Encoded: false,
  };
}

const HANDLERS: readonly (readonly [
  name: string,
  create: () => AbstractHttpAdapter,
  handlerOf: (instance: never) => unknown,
])[] = [
  [
    '@codegenie/serverless-express',
    () => new ExpressAdapter(),
    (app: RequestListener) => serverlessExpress({ app }),
  ],
  ['serverless-http', () => new ExpressAdapter(), serverlessHttp],
  ['@fastify/aws-lambda', () => new FastifyAdapter(), awsLambdaFastify],
];

describe.each(HANDLERS)('a function that answers requests by %s', (_name, create, handlerOf) => {
  const open = async (...steps: ConstructorParameters<typeof ScriptedModel>[0]) => {
    @Module({
      imports: [
        AgentModule.forRoot({
          model: new ScriptedModel(steps),
          decorators: [UseGuards(UserGuard)],
          audit: { record: () => undefined },
        }),
        McpServerModule.forRoot({ name: 'shop', decorators: [UseGuards(UserGuard)] }),
      ],
      controllers: [OrdersController],
    })
    class AppModule {}
    const app = await NestFactory.create(AppModule, create(), { logger: false });
    await app.init();
    const handler = handlerOf(app.getHttpAdapter().getInstance() as never) as Handler;
    const post = (path: string, body: object, headers?: Readonly<Record<string, string>>) =>
      handler(eventOf(path, body, headers), {});
    return { app, post };
  };
  const AS_ALICE = { authorization: 'alice' };
  const FIND = { toolCalls: [{ name: 'find_order', input: { id: '7' } }] };

  it('calls a route as the caller and answers with JSON', async () => {
    const { app, post } = await open(FIND, 'Found.');
    const { statusCode, body } = await post('/agent/chat', { message: 'Find 7' }, AS_ALICE);

    expect(statusCode).toBe(200);
    expect(JSON.parse(body)).toMatchObject({
      status: 'completed',
      message: 'Found.',
      toolCalls: [{ name: 'find_order', output: '{"id":"7"}' }],
    });
    await app.close();
  });

  it('answers with a whole stream', async () => {
    const { app, post } = await open('Hello.');
    const { statusCode, body } = await post('/agent/chat/stream', { message: 'Hi' }, AS_ALICE);

    expect(statusCode).toBe(200);
    expect(body).toMatch(/event: run\.started[^]+event: text\.delta[^]+event: run\.finished/);
    await app.close();
  });

  it('calls tools over MCP', async () => {
    const { app, post } = await open();
    const params = { name: 'find_order', arguments: { id: '9' } };
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const accept = 'application/json, text/event-stream';
    const { body } = await post('/mcp', call, { ...AS_ALICE, accept });

    expect(JSON.parse(body)).toMatchObject({
      result: { content: [{ type: 'text', text: '{"id":"9"}' }] },
    });
    await app.close();
  });

  it('refuses a caller without credentials', async () => {
    const { app, post } = await open();

    expect(await post('/agent/chat', { message: 'Hi' })).toMatchObject({ statusCode: 403 });
    await app.close();
  });
});
