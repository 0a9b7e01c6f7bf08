import {
  Controller,
  Injectable,
  Module,
  Post,
  UseGuards,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  type NestModule,
} from '@nestjs/common';
import { IsString } from 'class-validator';
import { map, type Observable } from 'rxjs';
import { AgentModule, AgentService, ModelError } from 'nestjs-agent';
import {
  BodyParsing,
  CallerResolver,
  Endpoint,
  readBody,
  readJsonBody,
  RunResponder,
  type Exchange,
  type RunEncoder,
} from 'nestjs-agent/endpoints';
import { ScriptedModel } from 'nestjs-agent/testing';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import type { INestApplication } from '@nestjs/common';
import request from 'supertest';
import { ADAPTERS, BearerGuard, MathTools, type AdapterName } from './http/agent-app';

const DOWN = new ModelError('model_unavailable', 'The model is away.');

class NoteDto {
  @IsString()
  text!: string;
}

/** A line-based protocol; the response starts with the first word. */
const LINES: RunEncoder = {
  headers: { 'x-protocol': 'lines' },
  open: () => 'data: <\n\n',
  encode: (event) => (event.type === 'text.delta' ? `data: ${event.delta}\n\n` : ''),
  close: ({ status }) => `data: > ${status}\n\n`,
};

/** An add-on module with its own protocol, which acts as the caller. */
@Controller('notes-stream')
@UseGuards(BearerGuard)
class AddOnController {
  constructor(
    private readonly agent: AgentService,
    private readonly callers: CallerResolver,
    private readonly runs: RunResponder,
  ) {}

  @Post()
  @Endpoint()
  async stream({ request: incoming, response }: Exchange): Promise<void> {
    const { text } = await readBody(NoteDto, incoming);
    const caller = this.callers.resolve(incoming);
    const tools = await this.agent.offeredTools(caller);
    response.head(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    response.write(`data: ${caller.principal ?? 'nobody'} sent ${text.length}\n\n`);
    for (const { definition } of tools) response.write(`data: ${definition.name}\n\n`);
    response.end();
  }

  @Post('lines')
  @Endpoint()
  async lines(exchange: Exchange): Promise<void> {
    const { text } = await readBody(NoteDto, exchange.request);
    await this.runs.stream(exchange, (options) => this.agent.start({ message: text }, options), {
      encoderFor: () => LINES,
    });
  }

  @Post('plain')
  @Endpoint({
    failureOf: () => ({ status: 422, headers: { 'x-failed': 'yes' }, body: { own: 'words' } }),
  })
  plain({ request: incoming }: Exchange): object {
    const body = readJsonBody(incoming);
    if (body['fail'] === true) throw new Error('secret');
    return { echo: body, as: this.callers.resolve(incoming).principal };
  }
}

@Module({ controllers: [AddOnController] })
class AddOnModule implements NestModule {
  constructor(private readonly bodies: BodyParsing) {}

  configure(): void {
    this.bodies.accept('notes-stream', 300_000);
    this.bodies.accept('notes-stream/plain', 1_000, () => ({
      status: 413,
      headers: {},
      body: { too: 'large' },
    }));
  }
}

@Injectable()
class DataInterceptor implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(map((data: unknown) => ({ data })));
  }
}

async function served(adapter: AdapterName, path?: false): Promise<INestApplication> {
  const module = await Test.createTestingModule({
    imports: [
      AgentModule.forRoot({
        model: new ScriptedModel(['Hello there.', DOWN]),
        ...(path === false && { path }),
      }),
      AddOnModule,
    ],
    providers: [MathTools],
  }).compile();
  const app =
    adapter === 'fastify'
      ? module.createNestApplication(new FastifyAdapter(), { logger: false })
      : module.createNestApplication({ logger: false });
  app.setGlobalPrefix('api');
  app.useGlobalInterceptors(new DataInterceptor());
  await app.listen(0, '127.0.0.1');
  return app;
}

describe.each(ADAPTERS)("another module's endpoint on %s", (adapter) => {
  let app: INestApplication;
  let url: string;
  const alice = { authorization: 'Bearer alice' };
  beforeAll(async () => {
    app = await served(adapter);
    url = await app.getUrl();
  });
  afterAll(() => app.close());

  const post = (path: string) => request(url).post(`/api/notes-stream${path}`);

  it('streams as the caller, past the envelope of the application', async () => {
    const mine = await post('').set(alice).send({ text: 'hello' });
    expect(mine.status).toBe(200);
    expect(mine.headers['cache-control']).toBe('no-store');
    expect(mine.text.split('\n\n').filter(Boolean)).toEqual([
      'data: alice sent 5',
      'data: add',
      'data: remove_file',
      'data: hidden',
    ]);
    const bobs = await post('').set({ authorization: 'Bearer bob' }).send({ text: '' });
    expect(bobs.text).not.toContain('hidden');
    expect((await post('').set({ authorization: 'Bearer wrong' }).send({})).status).toBe(401);
  });

  it('streams runs in a protocol of its own, and fails with a status before the first word', async () => {
    const told = await post('/lines').set(alice).send({ text: 'hi' });
    expect(told.headers['content-type']).toContain('text/event-stream');
    expect(told.headers['x-protocol']).toBe('lines');
    expect(told.text.replaceAll(/data: |\n\n/g, '|')).toMatch(/^\|<\|(\|[^|]+\|)+\|> completed\|$/);
    const failed = await post('/lines').set(alice).send({ text: 'hi' });
    expect(failed.status).toBe(502);
    expect(failed.body).toMatchObject({ code: 'model_unavailable' });
  });

  it('reads bodies as large as it said, and tells of others in its own words', async () => {
    const large = await post('')
      .set(alice)
      .send({ text: 'x'.repeat(250_000) });
    expect(large.text).toContain('alice sent 250000');
    const larger = await post('')
      .set(alice)
      .send({ text: 'x'.repeat(350_000) });
    expect([larger.status, (larger.body as { code: string }).code]).toEqual([
      413,
      'body_too_large',
    ]);
    const own = await post('/plain').send({ text: 'x'.repeat(2_000) });
    expect([own.status, own.body]).toEqual([413, { too: 'large' }]);
    const invalid = await post('').send({ text: 7 });
    expect([invalid.status, (invalid.body as { code: string }).code]).toEqual([
      400,
      'invalid_request',
    ]);
  });

  it('answers plain JSON without the envelope, and fails in its own words', async () => {
    const plain = await post('/plain').set(alice).send({ a: 1 });
    expect(plain.body).toEqual({ echo: { a: 1 }, as: 'alice' });
    const failed = await post('/plain').send({ fail: true });
    expect([failed.status, failed.headers['x-failed'], failed.body]).toEqual([
      422,
      'yes',
      { own: 'words' },
    ]);
  });

  it('needs no endpoint of the agent itself', async () => {
    const alone = await served(adapter, false);
    try {
      const response = await request(await alone.getUrl())
        .post('/api/notes-stream')
        .set(alice)
        .send({ text: 'x'.repeat(250_000) });
      expect(response.text).toContain('alice sent 250000');
    } finally {
      await alone.close();
    }
  });
});
