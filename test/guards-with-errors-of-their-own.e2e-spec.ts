import type { ServerResponse } from 'node:http';
import {
  type ArgumentsHost,
  type CanActivate,
  Catch,
  type ExceptionFilter,
  Injectable,
  type INestApplication,
  Module,
  UseGuards,
} from '@nestjs/common';
import { APP_FILTER, HttpAdapterHost, NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { AgentModule } from 'nestjs-agent';
import { McpServerModule } from 'nestjs-agent/mcp';
import { ScriptedModel } from 'nestjs-agent/testing';
import { ADAPTERS, type AdapterName } from './http/agent-app';

/** An application's own error, which only its filter turns into a status. */
class NotLoggedIn extends Error {}
class Broken extends Error {}

let thrown: Error;

@Injectable()
class OwnErrorGuard implements CanActivate {
  canActivate(): boolean {
    throw thrown;
  }
}

@Catch(NotLoggedIn)
class NotLoggedInFilter implements ExceptionFilter {
  constructor(private readonly host: HttpAdapterHost) {}

  catch(_error: NotLoggedIn, host: ArgumentsHost): void {
    const body = { statusCode: 401, message: 'Log in first.' };
    this.host.httpAdapter.reply(host.switchToHttp().getResponse(), body, 401);
  }
}

class LeftOpen extends Error {}

/** Answers, and returns a promise that nobody settles. */
@Catch(LeftOpen)
class LeftOpenFilter implements ExceptionFilter {
  constructor(private readonly host: HttpAdapterHost) {}

  catch(_error: LeftOpen, host: ArgumentsHost): Promise<never> {
    const body = { statusCode: 403, message: 'Not you.' };
    this.host.httpAdapter.reply(host.switchToHttp().getResponse(), body, 403);
    return new Promise(() => undefined);
  }
}

/** Middleware that breaks the writing of an answer's head. */
let unwritable = false;
function breakHeads(_request: unknown, response: ServerResponse, next: () => void): void {
  const { writeHead } = response;
  response.writeHead = ((...head: Parameters<typeof writeHead>) => {
    if (unwritable) throw new Error('The head cannot be written.');
    return writeHead.apply(response, head);
  }) as typeof writeHead;
  next();
}

const completion = { model: 'agent', messages: [{ role: 'user', content: 'hi' }] };
const listing = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const PROTOCOLS = [
  ['/agent/v1/chat/completions', completion],
  ['/mcp', listing],
] as const;

const resource = 'https://shop.example.com/mcp';

@Module({
  imports: [
    AgentModule.forRoot({
      model: new ScriptedModel([]),
      decorators: [UseGuards(OwnErrorGuard)],
    }),
    McpServerModule.forRoot({
      decorators: [UseGuards(OwnErrorGuard)],
      auth: { resource, authorizationServers: ['https://login.example.com'] },
    }),
  ],
  providers: [
    { provide: APP_FILTER, useClass: NotLoggedInFilter },
    { provide: APP_FILTER, useClass: LeftOpenFilter },
  ],
})
class OwnErrorsModule {}

describe.each(ADAPTERS)('guards that throw errors of their own, on %s', (adapter: AdapterName) => {
  let app: INestApplication;
  let url: string;
  beforeEach(async () => {
    app = await (adapter === 'fastify'
      ? NestFactory.create(OwnErrorsModule, new FastifyAdapter(), { logger: false })
      : NestFactory.create(OwnErrorsModule, { logger: false }));
    app.use(breakHeads);
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
  });
  afterEach(() => app.close());

  const send = (path: string, body: object) =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify(body),
    });

  it("have the status of the application's filter in every protocol's form", async () => {
    thrown = new NotLoggedIn('secret');
    const chat = await send('/agent/chat', { message: 'hi' });
    expect([chat.status, await chat.json()]).toEqual([
      401,
      { statusCode: 401, message: 'Log in first.' },
    ]);
    const openAi = await send('/agent/v1/chat/completions', completion);
    expect([openAi.status, await openAi.json()]).toEqual([
      401,
      { error: expect.objectContaining({ code: 'invalid_api_key', message: 'Log in first.' }) },
    ]);
    const mcp = await send('/mcp', listing);
    expect([mcp.status, await mcp.json()]).toEqual([
      401,
      { jsonrpc: '2.0', id: 1, error: expect.objectContaining({ message: 'Log in first.' }) },
    ]);
    expect(mcp.headers.get('www-authenticate')).toContain('Bearer resource_metadata=');
  });

  it('are answered by a filter whose promise never settles', async () => {
    thrown = new LeftOpen('secret');
    for (const [path, body] of PROTOCOLS) {
      const response = await send(path, body);
      expect([response.status, await response.text()]).toEqual([
        403,
        expect.stringContaining('Not you.'),
      ]);
    }
  });

  it('end the request where the answer cannot be written', async () => {
    thrown = new NotLoggedIn('secret');
    for (const [path, body] of PROTOCOLS) {
      unwritable = true;
      await expect(send(path, body)).rejects.toThrow('fetch failed');
      unwritable = false;
      expect((await send(path, body)).status).toBe(401);
    }
  });

  it('stay server errors where no filter knows them', async () => {
    thrown = new Broken('secret');
    for (const [path, body] of PROTOCOLS) {
      const response = await send(path, body);
      expect(response.status).toBe(500);
      expect(await response.text()).not.toContain('secret');
    }
  });
});
