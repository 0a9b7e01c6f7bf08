import type { ServerResponse } from 'node:http';
import {
  Catch,
  ClassSerializerInterceptor,
  HttpException,
  Injectable,
  type ArgumentsHost,
  type CallHandler,
  type ExceptionFilter,
  type ExecutionContext,
  type INestApplication,
  type NestInterceptor,
  RequestTimeoutException,
  Scope,
  UseGuards,
  VersioningType,
  type VersioningOptions,
} from '@nestjs/common';
import { HttpAdapterHost, Reflector } from '@nestjs/core';
import { catchError, of, tap, throwError, timeout, type Observable } from 'rxjs';
import request, { type Response } from 'supertest';
import { ADAPTERS, BearerGuard, Closers, LoginGuard, NotesController } from './http/agent-app';
import { as, converse, EVERY_ENDPOINT, STEPS, type Conversation } from './http/every-endpoint';
import { wraps } from './http/surroundings';

/** Like Nest's: caches GET requests by URL for all users; a hit does not reach the handler. */
class CacheInterceptor implements NestInterceptor {
  readonly kept = new Map<string, unknown>();

  constructor(private readonly host: HttpAdapterHost) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { httpAdapter } = this.host;
    const asked = context.getArgByIndex<object>(0);
    const answer = context.switchToHttp().getResponse<object>();
    if (httpAdapter.getRequestMethod?.(asked) !== 'GET') return next.handle();
    const key = httpAdapter.getRequestUrl?.(asked) as string;
    const isHit = this.kept.has(key);
    httpAdapter.setHeader?.(answer, 'X-Cache', isHit ? 'HIT' : 'MISS');
    if (isHit) return of(this.kept.get(key));
    return next.handle().pipe(tap((value) => this.kept.set(key, value)));
  }
}

/** Answers everything by itself, as a maintenance page or another cache does. */
const answersItself: NestInterceptor = {
  intercept: (context) => {
    const response = context
      .switchToHttp()
      .getResponse<{ status(code: number): { send(body: object): void } }>();
    response.status(203).send({ intruder: true });
    return of({ intruder: true });
  },
};

/** As in Nest's documentation. */
const timesOut: NestInterceptor = {
  intercept: (_context, next) =>
    next.handle().pipe(
      timeout(1),
      catchError(() => throwError(() => new RequestTimeoutException())),
    ),
};

/** What middleware and hooks of an application can do to an answer before it leaves. */
type OnSend = (fail: (error?: Error) => void) => void;

/** Runs before every answer, asynchronously where the adapter lets it. */
function onSend(app: INestApplication, run: OnSend): void {
  const { httpAdapter } = app.get(HttpAdapterHost);
  if (httpAdapter.getType() === 'fastify') {
    interface Fastify {
      addHook(
        name: 'onSend',
        hook: (
          request: unknown,
          reply: unknown,
          payload: unknown,
          done: (error?: Error | null, payload?: unknown) => void,
        ) => void,
      ): void;
    }
    httpAdapter.getInstance<Fastify>().addHook('onSend', (_request, _reply, payload, done) => {
      setImmediate(() => run((error) => done(error, payload)));
    });
    return;
  }
  // Like the package on-headers: once.
  app.use((_request: unknown, response: ServerResponse, next: () => void) => {
    const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
    let hasRun = false;
    response.writeHead = (...args: unknown[]) => {
      const isFirst = !hasRun;
      hasRun = true;
      if (isFirst) {
        run((error) => {
          if (error) throw error;
        });
      }
      return writeHead(...args);
    };
    next();
  });
}

/** Makes every response publicly cacheable. */
const letsKeep: NestInterceptor = {
  intercept: (context, next) => {
    const response = context
      .switchToHttp()
      .getResponse<{ header(name: string, value: string): void }>();
    response.header('cache-control', 'public, max-age=60');
    response.header('vary', 'Origin');
    return next.handle();
  },
};

/** Rewrites every error, with a header of its own. */
@Catch()
class RewritingFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    interface AnyResponse {
      header(name: string, value: string): void;
      status(code: number): { send(body: object): void };
    }
    const response = host.switchToHttp().getResponse<AnyResponse>();
    response.header('x-rewritten', 'yes');
    const status = error instanceof HttpException ? error.getStatus() : 500;
    response.status(status).send({ rewritten: true });
  }
}

/** A response without the parts that differ between requests. */
function comparable({ status, headers, text }: Response) {
  const ids = /(?:ses|run|call|chatcmpl-run)_[A-Za-z0-9_-]{8,}/g;
  return {
    status,
    type: headers['content-type'] as unknown,
    cacheControl: headers['cache-control'] as unknown,
    text: text
      .replaceAll(ids, 'id')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
      .replaceAll(/"(created|created_at|completed_at|durationMs)":\d+/g, '"$1":0')
      .replaceAll(/nonce(="|-)[\w+/=]+/g, 'nonce'),
  };
}

async function askAll(of: Conversation): Promise<Record<string, ReturnType<typeof comparable>>> {
  const answers: Record<string, ReturnType<typeof comparable>> = {};
  for (const endpoint of EVERY_ENDPOINT) {
    answers[endpoint.name] = comparable(await endpoint.ask(of));
  }
  return answers;
}

describe.each(ADAPTERS)("the agent's endpoints in an application of others on %s", (adapter) => {
  const apps = new Closers();
  afterEach(() => apps.close());

  const answersOf = async (prepare?: (app: INestApplication) => void) => {
    const { url } = await apps.open({
      adapter,
      steps: [...STEPS],
      ...(prepare && { prepare }),
    });
    return askAll(await converse(url, 'alice'));
  };
  let alone: Awaited<ReturnType<typeof answersOf>>;
  beforeAll(async () => {
    alone = await answersOf();
    await apps.close();
  });

  it('answer as they are documented', async () => {
    const { url } = await apps.open({ adapter, steps: [...STEPS] });
    const conversation = await converse(url, 'alice');
    for (const { name, status, mediaType, isPublic, ask } of EVERY_ENDPOINT) {
      const answer = await ask(conversation);
      expect({ name, status: answer.status }).toEqual({ name, status });
      if (mediaType) expect(answer.headers['content-type']).toMatch(mediaType);
      if (isPublic) continue;
      const vary = (answer.headers['vary'] ?? '').split(', ');
      expect({ name, vary }).toEqual({
        name,
        vary: expect.arrayContaining(['Authorization', 'Cookie']),
      });
      expect(answer.headers['cache-control']).toContain('no-store');
    }
  });

  it.each<[string, (app: INestApplication) => void]>([
    ['a { data } wrapper', (app) => app.useGlobalInterceptors(wraps)],
    [
      'a time-out',
      (app) => app.useGlobalInterceptors(timesOut).useGlobalFilters(new RewritingFilter()),
    ],
    ['an interceptor that answers for them', (app) => app.useGlobalInterceptors(answersItself)],
    ['a cache', (app) => app.useGlobalInterceptors(new CacheInterceptor(app.get(HttpAdapterHost)))],
    [
      "Nest's serializer",
      (app) => app.useGlobalInterceptors(new ClassSerializerInterceptor(new Reflector())),
    ],
    [
      'an interceptor that refuses',
      (app) =>
        app
          .useGlobalInterceptors({ intercept: () => throwError(() => new Error('not today')) })
          .useGlobalFilters(new RewritingFilter()),
    ],
    ['a filter that rewrites errors', (app) => app.useGlobalFilters(new RewritingFilter())],
    ['pipes that mangle', (app) => app.useGlobalPipes({ transform: () => 'mangled' })],
  ])('answer the same beside %s', async (_what, prepare) => {
    expect(await answersOf(prepare)).toEqual(alone);
  });

  it('stay for their caller alone beside an interceptor that lets everybody keep them', async () => {
    const { url } = await apps.open({
      adapter,
      prepare: (app) => {
        app.useGlobalInterceptors(letsKeep);
        onSend(app, (done) => done());
      },
    });
    const { headers } = await request(url).get('/agent/tools').set(as('alice'));
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['vary']).toContain('Authorization, Cookie');
  });

  it.each(['tools', 'sessions', 'health'])('fail where a hook fails: %s', async (path) => {
    const { url } = await apps.open({
      adapter,
      prepare: (app) => onSend(app, (done) => done(new Error('No store.'))),
    });
    const answer = await request(url).get(`/agent/${path}`).set(as('alice')).timeout(3_000);
    expect(answer.status).toBe(500);
  });

  // Fastify's middleware does not write heads.
  const onExpress = adapter === 'express' ? it : it.skip;
  onExpress('drop a connection on which middleware lets nothing be said', async () => {
    const { url } = await apps.open({
      adapter,
      prepare: (app) =>
        app.use((_request: unknown, response: ServerResponse, next: () => void) => {
          response.writeHead = () => {
            throw new Error('No store.');
          };
          next();
        }),
    });
    const asked = request(url).get('/agent/tools').set(as('alice')).timeout(3_000);
    await expect(asked).rejects.toThrow('socket hang up');
  });

  it('never answer one user from what another one asked', async () => {
    let cache: CacheInterceptor | undefined;
    const { url } = await apps.open({
      adapter,
      steps: [...STEPS, ...STEPS],
      prepare: (app) => {
        cache = new CacheInterceptor(app.get(HttpAdapterHost));
        app.useGlobalInterceptors(cache);
      },
    });
    const alice = await converse(url, 'alice');
    for (const { ask } of EVERY_ENDPOINT.slice(0, -1)) await ask(alice);
    const sessions = await request(url).get('/agent/sessions').set(as('bob'));
    expect(sessions.body).toEqual([]);
    const tools = await request(url).get('/agent/tools').set(as('bob'));
    expect(tools.text).not.toContain('hidden');
    for (const path of [
      `runs/${alice.runId}`,
      `runs/${alice.runId}/events`,
      `sessions/${alice.sessionId}/messages`,
    ]) {
      expect((await request(url).get(`/agent/${path}`).set(as('bob'))).status).toBe(404);
    }
    // They do not give it responses of a particular user, either.
    expect([...(cache?.kept.values() ?? [])].filter((value) => value !== undefined)).toEqual([]);
  });

  it('tell their own errors, whatever a filter makes of others', async () => {
    const { url } = await apps.open({
      adapter,
      prepare: (app) => app.useGlobalFilters(new RewritingFilter()),
    });
    const client = request(url);
    const large = { message: 'x'.repeat(1_100_000) };
    const answers = [
      [await client.get('/agent/runs/run_none').set(as('alice')), 404, 'run_not_found'],
      [
        await client.get('/agent/sessions/ses_none/messages').set(as('alice')),
        404,
        'session_not_found',
      ],
      [await client.get('/agent/tools/none').set(as('alice')), 404, 'tool_not_found'],
      [await client.get('/agent/ui/none.js'), 404, 'not_found'],
      [await client.post('/agent/chat').set(as('alice')).send({}), 400, 'invalid_request'],
      [await client.post('/agent/chat/stream').set(as('alice')).send({}), 400, 'invalid_request'],
      [
        await client.post('/agent/chat').set(as('alice')).type('form').send('a=b'),
        415,
        'unsupported_media_type',
      ],
      [
        await client.post('/agent/chat').set(as('alice')).type('json').send('{'),
        400,
        'invalid_request',
      ],
      [await client.post('/agent/chat').set(as('alice')).send(large), 413, 'body_too_large'],
    ] as const;
    for (const [{ status, body }, expected, code] of answers) {
      expect({ status, ...body }).toEqual({
        status: expected,
        statusCode: expected,
        message: expect.anything(),
        error: expect.any(String),
        code,
      });
    }
  });

  it("leave the refusals of the application's guards to its filters", async () => {
    const { url } = await apps.open({
      adapter,
      decorators: [UseGuards(LoginGuard)],
      prepare: (app) => app.useGlobalFilters(new RewritingFilter()),
    });
    const refused = await request(url).get('/agent/sessions');
    expect(refused.status).toBe(401);
    expect(refused.body).toEqual({ rewritten: true });
    expect(refused.headers['x-rewritten']).toBe('yes');
    const openAi = await request(url).get('/agent/v1/models');
    expect(openAi.body).toMatchObject({ error: { code: 'invalid_api_key' } });
  });

  it('ask every guard first: global ones, and request-scoped ones among the decorators', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class ScopedGuard extends BearerGuard {
      override canActivate(context: ExecutionContext): boolean {
        super.canActivate(context);
        const { user } = context.switchToHttp().getRequest<{ user?: { id: string } }>();
        return user?.id !== 'mallory';
      }
    }
    const { url, model } = await apps.open({
      adapter,
      steps: [...STEPS],
      decorators: [UseGuards(ScopedGuard)],
      prepare: (app) =>
        app.useGlobalGuards({
          canActivate: (context) =>
            context.switchToHttp().getRequest<{ headers: Record<string, string> }>().headers[
              'x-blocked'
            ] === undefined,
        }),
    });
    const chat = (headers: Record<string, string>) =>
      request(url).post('/agent/chat').set(headers).send({ message: 'hi' });
    expect((await chat(as('mallory'))).status).toBe(403);
    expect((await chat({ ...as('alice'), 'x-blocked': '1' })).status).toBe(403);
    expect((await request(url).get('/agent/ui').set('x-blocked', '1')).status).toBe(403);
    expect(model.requests).toHaveLength(0);
    const { body } = await chat(as('alice'));
    expect(body).toMatchObject({ status: 'completed' });
    const { body: own } = await request(url).get('/agent/sessions').set(as('alice'));
    expect(own).toEqual([expect.objectContaining({ sessionId: body.sessionId })]);
  });

  it('are seen by interceptors from the request to the end of the answer', async () => {
    const seen: string[] = [];
    let told: () => void = () => undefined;
    const { url } = await apps.open({
      adapter,
      steps: [...STEPS],
      prepare: (app) =>
        app.useGlobalInterceptors({
          intercept: (context, next) => {
            const http = context.switchToHttp();
            const { method, url: path } = http.getRequest<{ method: string; url: string }>();
            const response = http.getResponse<{ statusCode: number }>();
            const handler = `${context.getClass().name}.${context.getHandler().name}`;
            return next.handle().pipe(
              tap({
                complete: () => {
                  seen.push(`${method} ${path} ${handler} ${response.statusCode}`);
                  told();
                },
              }),
            );
          },
        }),
    });
    const logged = async (asking: PromiseLike<unknown>): Promise<string | undefined> => {
      const isTold = new Promise<void>((resolve) => (told = resolve));
      await asking;
      await isTold;
      return seen.at(-1);
    };
    const client = request(url);
    expect(await logged(client.post('/agent/chat').send({ message: 'hi' }))).toBe(
      'POST /agent/chat AgentChatController.chat 200',
    );
    expect(await logged(client.post('/agent/chat/stream').send({ message: 'hi' }))).toBe(
      'POST /agent/chat/stream AgentChatController.stream 200',
    );
    expect(await logged(client.get('/agent/tools/none'))).toBe(
      'GET /agent/tools/none AgentToolsController.detail 404',
    );
    expect(await logged(client.get('/agent/ui'))).toBe('GET /agent/ui AgentUiController.page 200');
  });

  it('keep what middleware said of Vary', async () => {
    const { url } = await apps.open({
      adapter,
      prepare: (app) => {
        app.enableCors({ origin: ['https://shop.example', 'https://other.example'] });
      },
    });
    const answer = await request(url).get('/agent/tools').set('Origin', 'https://shop.example');
    expect((answer.headers['vary'] ?? '').split(', ').sort()).toEqual(
      ['Authorization', 'Cookie', 'Origin', 'x-agent-session'].sort(),
    );
  });

  const VERSIONING: readonly [string, VersioningOptions, Record<string, string>, string][] = [
    ['header', { type: VersioningType.HEADER, header: 'x-version' }, { 'x-version': '1' }, ''],
    [
      'media type',
      { type: VersioningType.MEDIA_TYPE, key: 'v=' },
      { accept: 'application/json;v=1' },
      '',
    ],
    [
      'vendor media type',
      {
        type: VersioningType.CUSTOM,
        extractor: (asked: unknown) =>
          /v(\d+)\+json$/.exec(
            (asked as { headers: Record<string, string> }).headers['accept'] ?? '',
          )?.[1] ?? '',
      },
      { accept: 'application/vnd.shop.v1+json' },
      '',
    ],
    ['URI', { type: VersioningType.URI }, {}, '/v1'],
  ];

  it.each(VERSIONING)('have no version under versions by %s', async (_kind, options, headers) => {
    const { url } = await apps.open({
      adapter,
      // Its routes would be version 1's, too.
      scan: { exclude: [NotesController] },
      steps: [...STEPS],
      prepare: (app) => {
        app.enableVersioning({ ...options, defaultVersion: '1' });
      },
    });
    const conversation = await converse(url, 'alice');
    for (const { name, status, ask } of EVERY_ENDPOINT) {
      expect({ name, status: (await ask(conversation)).status }).toEqual({ name, status });
    }
    expect((await request(url).get('/agent/ui').set(headers)).status).toBe(200);
  });

  it.each(VERSIONING)(
    'are under their version by %s where they have one',
    async (_kind, options, headers, prefix) => {
      const { url } = await apps.open({
        adapter,
        version: '1',
        steps: ['Hello.'],
        prepare: (app) => {
          app.enableVersioning(options);
        },
      });
      for (const path of ['health', 'ui', 'sessions']) {
        expect((await request(url).get(`/agent/${path}`)).status).toBe(404);
        const versioned = await request(url).get(`${prefix}/agent/${path}`).set(headers);
        expect({ path, status: versioned.status }).toEqual({ path, status: 200 });
      }
      const chat = await request(url)
        .post(`${prefix}/agent/chat`)
        .set(headers)
        .send({ message: 'hi' });
      expect(chat.body).toMatchObject({ message: 'Hello.' });
    },
  );
});
