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

/** An error in the shape of `http-errors`. */
class SharedError extends Error {
  readonly expose: boolean;
  readonly status: number;

  constructor(
    readonly statusCode: number,
    message: string,
  ) {
    super(message);
    this.expose = statusCode < 500;
    this.status = statusCode;
  }
}

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

class Unavailable extends Error {}

/** Answers and logs, as catch-all filters do. */
@Catch(Unavailable)
class UnavailableFilter implements ExceptionFilter {
  constructor(private readonly host: HttpAdapterHost) {}

  catch(error: Unavailable, host: ArgumentsHost): void {
    const body = { statusCode: 500, message: error.message };
    this.host.httpAdapter.reply(host.switchToHttp().getResponse(), body, 500);
  }
}

class Unforeseen extends Error {}

@Catch(Unforeseen)
class FailingFilter implements ExceptionFilter {
  catch(_error: Unforeseen, host: ArgumentsHost): void {
    host.switchToHttp().getRequest<{ user: { name: string } }>().user.name.trim();
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
    { provide: APP_FILTER, useClass: UnavailableFilter },
    { provide: APP_FILTER, useClass: FailingFilter },
  ],
})
class OwnErrorsModule {}

describe.each(ADAPTERS)('guards that throw errors of their own, on %s', (adapter: AdapterName) => {
  let app: INestApplication;
  let url: string;
  const logged: string[] = [];
  const logger = {
    log: () => undefined,
    warn: (message: string) => void logged.push(message),
    error: (message: string) => void logged.push(message),
  };
  beforeEach(async () => {
    app = await (adapter === 'fastify'
      ? NestFactory.create(OwnErrorsModule, new FastifyAdapter(), { logger })
      : NestFactory.create(OwnErrorsModule, { logger }));
    app.use(breakHeads);
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
    logged.splice(0);
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

  it.each([
    [401, 'Log in first.', 'Log in first.'],
    [503, 'secret', 'Service Unavailable'],
  ])(
    'have the status %d of an error as of http-errors, as in NestJS',
    async (status, text, told) => {
      thrown = new SharedError(status, text);
      expect((await send('/agent/chat', { message: 'hi' })).status).toBe(status);
      for (const [path, body] of PROTOCOLS) {
        const response = await send(path, body);
        const challenge = response.headers.get('www-authenticate');
        expect([response.status, challenge !== null]).toEqual([
          status,
          status === 401 && path === '/mcp',
        ]);
        const answer = await response.text();
        expect(answer).toContain(told);
        expect(answer).not.toContain('secret');
      }
    },
  );

  it('are logged by the filter that answers them with a server error', async () => {
    thrown = new Unavailable('secret');
    for (const [path, body] of PROTOCOLS) {
      const response = await send(path, body);
      expect(response.status).toBe(500);
      expect(await response.text()).not.toContain('secret');
    }
    expect(logged).toEqual([]);
  });

  it('are logged where their filter fails', async () => {
    thrown = new Unforeseen('not foreseen');
    for (const [path, body] of PROTOCOLS) {
      expect((await send(path, body)).status).toBe(500);
      expect(logged.splice(0)).toEqual([
        expect.stringMatching(/^FailingFilter failed on an exception: Cannot read/),
        'not foreseen',
      ]);
    }
  });
});
