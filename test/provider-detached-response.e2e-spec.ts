import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  Catch,
  Controller,
  type ExceptionFilter,
  type ExecutionContext,
  Get,
  HttpException,
  Injectable,
  type NestInterceptor,
  NotFoundException,
  Query,
  Req,
  Res,
  UnauthorizedException,
  UseFilters,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { APP_FILTER, BaseExceptionFilter } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import type { Response } from 'express';
import { EMPTY, from, type Observable, tap, throwError } from 'rxjs';
import { Tool, ToolRegistry } from 'nestjs-agent';
import { ToolApplication, toolModule } from './support/tool-application';

interface ExpressLike {
  statusCode: number;
  readonly headersSent: boolean;
  status(code: number): ExpressLike;
  header(name: string, value: string): ExpressLike;
  setHeader(name: string, value: string): void;
  getHeader(name: string): unknown;
  append(name: string, value: string): ExpressLike;
  json(body: unknown): ExpressLike;
  end(text?: string): void;
  write(text: string): void;
  redirect(url: string): void;
  on(event: string, listener: () => void): void;
}

interface FastifyLike {
  readonly raw: ExpressLike;
  readonly sent: boolean;
  code(code: number): FastifyLike;
  headers(values: Record<string, string>): FastifyLike;
  send(body: unknown): FastifyLike;
}

const responseOf = <T>(host: ArgumentsHost) => host.switchToHttp().getResponse<T>();

@Injectable()
class ThrottlerLikeGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const response = responseOf<ExpressLike>(context);
    response.header('X-RateLimit-Limit', '10').append('X-RateLimit-Seen', 'one');
    response.setHeader('X-RateLimit-Remaining', '9');
    response.on('finish', () => undefined);
    return !response.headersSent;
  }
}

@Injectable()
class AnsweringGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    responseOf<ExpressLike>(context).status(401).json({ message: 'Your session has expired' });
    return false;
  }
}

@Injectable()
class RawGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const response = responseOf<ExpressLike>(context);
    response.statusCode = 402;
    response.write('Pay ');
    response.end('first');
    return false;
  }
}

@Injectable()
class BusyInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext): Observable<never> {
    responseOf<FastifyLike>(context).code(429).headers({ 'retry-after': '1' }).send('Too many');
    return EMPTY;
  }
}

@Injectable()
class CreatedInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    responseOf<ExpressLike>(context).status(201).header('Location', '/orders/1');
    return next.handle();
  }
}

/** Records when and how the responses of watched calls ended. */
const ended: string[] = [];

@Injectable()
class WatchingInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const response = responseOf<ExpressLike>(context);
    response.on('finish', () => ended.push(`finish ${response.statusCode}`));
    response.on('close', () => ended.push('close'));
    return next.handle();
  }
}

@Catch()
class SloppyFilter implements ExceptionFilter {
  catch(exception: Error, host: ArgumentsHost): unknown {
    return responseOf<ExpressLike>(host).json({ message: `Sorry: ${exception.message}` });
  }
}

@Catch(UnauthorizedException)
class LoginFilter implements ExceptionFilter {
  catch(_exception: unknown, host: ArgumentsHost): void {
    responseOf<ExpressLike>(host).redirect('/login');
  }
}

@Catch(NotFoundException)
class LateFilter implements ExceptionFilter {
  async catch(exception: NotFoundException, host: ArgumentsHost): Promise<void> {
    await Promise.resolve();
    const reply = responseOf<FastifyLike>(host);
    reply.code(exception.getStatus()).send({ message: [`late: ${exception.message}`] });
    reply.code(200).send('too late');
  }
}

@Catch()
class LookingFilter implements ExceptionFilter {
  catch(_exception: unknown, host: ArgumentsHost): void {
    responseOf<ExpressLike>(host).status(418);
  }
}

@Injectable()
class WritingTools {
  @UseGuards(ThrottlerLikeGuard)
  @Tool({ description: 'Behind a throttler' })
  throttled(): string {
    return 'through';
  }

  @UseGuards(AnsweringGuard)
  @Tool({ description: 'Refused with a body' })
  expired(): string {
    return 'through';
  }

  @UseGuards(RawGuard)
  @Tool({ description: 'Refused in Node’s way' })
  paid(): string {
    return 'through';
  }

  @UseInterceptors(BusyInterceptor)
  @Tool({ description: 'Refused by an interceptor' })
  busy(): string {
    return 'through';
  }

  @UseInterceptors(CreatedInterceptor)
  @Tool({ description: 'Decorated by an interceptor' })
  created(): string {
    return 'made';
  }

  @UseInterceptors(WatchingInterceptor)
  @Tool({ description: 'Answers' })
  watched(): Observable<string> {
    return from(['some', 'all']).pipe(tap((text) => ended.push(text)));
  }

  @UseInterceptors(WatchingInterceptor)
  @Tool({ description: 'Throws' })
  watchedFailure(): never {
    throw new NotFoundException('no order');
  }

  @UseInterceptors(WatchingInterceptor)
  @Tool({ description: 'Throws later' })
  watchedStream(): Observable<never> {
    return throwError(() => new Error('broken'));
  }

  @UseFilters(SloppyFilter)
  @Tool({ description: 'A filter without a status' })
  sloppy(): never {
    throw new NotFoundException('no order');
  }

  @UseFilters(LoginFilter)
  @Tool({ description: 'A filter that redirects' })
  login(): never {
    throw new UnauthorizedException();
  }

  @UseFilters(LateFilter)
  @Tool({ description: 'An asynchronous filter' })
  late(): never {
    throw new NotFoundException('no order');
  }

  @UseFilters(LookingFilter)
  @Tool({ description: 'A filter that answers nothing' })
  looking(): never {
    throw new NotFoundException('no order');
  }

  @Tool({ description: 'Fails' })
  fails(): never {
    throw new NotFoundException('no such thing');
  }

  @Tool({ description: 'Fails unexpectedly' })
  crashes(): never {
    throw new Error('secret');
  }
}

@Catch()
class ApplicationFilter extends BaseExceptionFilter {}

describe('the response that a tool’s enhancers see', () => {
  let tools: ToolApplication;
  beforeAll(async () => {
    tools = await ToolApplication.boot({ providers: [WritingTools] });
  });
  afterAll(() => tools.close());
  const failureOf = async (name: string) => {
    const error: unknown = await tools.call(name, {}, { request: {} }).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(HttpException);
    const exception = error as HttpException;
    return [exception.getStatus(), exception.getResponse()];
  };

  it('takes headers and listeners, and keeps them to itself', async () => {
    expect(await tools.call('throttled', {}, { request: {} })).toBe('through');
    expect(await tools.call('created', {}, { request: {} })).toBe('made');
  });

  it('ends with the call, so that nobody waits for its end for ever', async () => {
    const endOf = async (name: string) => {
      ended.length = 0;
      await tools.call(name, {}, { request: {} }).catch(() => undefined);
      return [...ended];
    };
    expect(await endOf('watched')).toEqual(['some', 'all', 'finish 200', 'close']);
    expect(await endOf('watchedFailure')).toEqual(['finish 404', 'close']);
    expect(await endOf('watchedStream')).toEqual(['finish 500', 'close']);
  });

  it('turns what is written instead of the tool into the error', async () => {
    expect(await failureOf('expired')).toEqual([401, { message: 'Your session has expired' }]);
    expect(await failureOf('paid')).toEqual([402, 'Pay first']);
    expect(await failureOf('busy')).toEqual([429, 'Too many']);
    await expect(tools.authorize('expired', { request: {} })).rejects.toMatchObject({
      status: 401,
    });
  });

  it('turns what a filter writes into the error, the first answer alone', async () => {
    expect(await failureOf('sloppy')).toEqual([404, { message: 'Sorry: no order' }]);
    expect(await failureOf('login')).toEqual([401, 'The application refused the call.']);
    expect(await failureOf('late')).toEqual([404, { message: ['late: no order'] }]);
  });

  it('leaves the exception as it is where a filter writes nothing', async () => {
    expect(await failureOf('looking')).toEqual([
      404,
      { statusCode: 404, error: 'Not Found', message: 'no order' },
    ]);
  });
});

describe.each(['express', 'fastify'])('a global filter built on Nest’s own, on %s', (platform) => {
  it('words the error, and hides what is unexpected', async () => {
    const module = await Test.createTestingModule({
      imports: [toolModule()],
      providers: [WritingTools, { provide: APP_FILTER, useClass: ApplicationFilter }],
    }).compile();
    const app =
      platform === 'fastify'
        ? module.createNestApplication(new FastifyAdapter(), { logger: false })
        : module.createNestApplication({ logger: false });
    await app.init();
    const registry = app.get(ToolRegistry, { strict: false });
    const call = async (name: string) => {
      const tool = registry.find(name);
      return tool?.invoke({
        args: await tool.bind({}),
        context: {
          call: {} as never,
          request: {},
          signal: new AbortController().signal,
          emit: () => undefined,
        },
        callContext: {},
        attempt: 1,
        idempotencyKey: '',
      });
    };
    await expect(call('fails')).rejects.toMatchObject({
      status: 404,
      response: { message: 'no such thing' },
    });
    await expect(call('crashes')).rejects.toMatchObject({
      status: 500,
      response: { message: 'Internal server error' },
    });
    await app.close();
  });
});

describe('the live response', () => {
  it('is not touched while it is being streamed', async () => {
    @Controller('stream')
    class StreamController {
      constructor(private readonly registry: ToolRegistry) {}

      @Get()
      async stream(
        @Query('tool') name: string,
        @Req() request: IncomingMessage,
        @Res() response: Response,
      ): Promise<void> {
        response.writeHead(200, { 'content-type': 'text/plain' });
        response.write('before;');
        const tool = this.registry.find(name);
        const outcome: unknown = await Promise.resolve(
          tool?.invoke({
            args: await tool.bind({}),
            context: {
              call: {} as never,
              request,
              signal: new AbortController().signal,
              emit: () => undefined,
            },
            callContext: {},
            attempt: 1,
            idempotencyKey: '',
          }),
        ).catch((error: unknown) => (error as Error).message);
        response.end(`${String(outcome)};after`);
      }
    }
    const tools = await ToolApplication.boot({
      controllers: [StreamController],
      providers: [WritingTools, { provide: APP_FILTER, useClass: SloppyFilter }],
    });
    await tools.app.listen(0, '127.0.0.1');
    const { port } = tools.app.getHttpServer().address() as AddressInfo;
    const streamed = async (tool: string) => {
      const response = await fetch(`http://127.0.0.1:${port}/stream?tool=${tool}`);
      return [response.status, response.headers.get('x-ratelimit-limit'), await response.text()];
    };
    expect(await streamed('throttled')).toEqual([200, null, 'before;through;after']);
    expect(await streamed('fails')).toEqual([200, null, 'before;Sorry: no such thing;after']);
    expect(await streamed('paid')).toEqual([200, null, 'before;Pay first;after']);
    await tools.close();
  });
});
