import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  Controller,
  Get,
  Injectable,
  Module,
  Post,
  Sse,
  UploadedFile,
  ValidationPipe,
  VersioningType,
  type Type,
} from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { ExpressAdapter } from '@nestjs/platform-express';
import { NestFactory } from '@nestjs/core';
import { EMPTY } from 'rxjs';
import { AgentModule, Tool, ToolCallFactory, ToolRegistry } from 'nestjs-agent';
import { bootError, GuideApp } from '../../../test/support/guide-app';
import { guideText } from '../../../test/support/guide-text';
import { AppModule } from './app.module';
import { EnvelopedModule } from './enveloped.module';
import { InvoicesController } from './invoices.controller';
import { PostsModule } from './posts.module';
import { remoteModule } from './remote.module';

const TEXT = guideText('tools-on-routes');
const adapters = { express: () => new ExpressAdapter(), fastify: () => new FastifyAdapter() };

describe.each(['express', 'fastify'] as const)('the guide to tools on routes, on %s', (name) => {
  let guide: GuideApp;
  beforeAll(async () => {
    const validate = new ValidationPipe();
    guide = await GuideApp.start(
      AppModule,
      (app) => app.useGlobalPipes(validate),
      adapters[name](),
    );
  });
  afterAll(() => guide.close());

  it('calls a route as the user who chats', async () => {
    const { output } = await guide.call('orders_list', { state: 'open' });
    expect(output).toBe('{"user":"ada","state":"open","limit":10}');
    const { body } = await guide.get('/agent/tools/orders_list');
    expect(body).toMatchObject({
      input_schema: {
        properties: {
          state: { enum: ['open', 'sent'] },
          limit: { type: 'integer', default: 10, description: 'How many at most' },
        },
      },
    });
  });

  it('shows a flat input', async () => {
    const { body } = await guide.get('/agent/tools/move_order');
    const text = readFileSync(join(__dirname, 'move-order.json'), 'utf8');
    expect(body).toMatchObject({ input_schema: JSON.parse(text) as object, idempotent: true });
  });

  it('keeps a body of which nothing is known, or takes what input says of it', async () => {
    const { body } = await guide.get('/agent/tools/create_cat');
    expect(body).toMatchObject({
      input_schema: { properties: { body: { additionalProperties: true } } },
    });
    const cat = { shelter: 'north', body: { name: 'Tom' } };
    expect((await guide.call('create_cat', cat)).output).toBe('{"shelter":"north","name":"Tom"}');
    const described = { shelter: 7, name: 'Tom' };
    expect((await guide.call('add_cat', described)).output).toBe('{"shelter":"7","name":"Tom"}');
  });

  it('sends in a query what swagger says, and lists', async () => {
    const { body } = await guide.get('/agent/tools/find_cats');
    const { filter } = (body as { input_schema: { properties: Record<string, object> } })
      .input_schema.properties;
    expect(filter).toEqual({ type: 'string', description: 'JSON text of an object with age' });
    expect(TEXT).toContain(JSON.stringify(filter).replaceAll(':', ': ').replaceAll(',', ', '));
    const input = { breeds: ['persian', 'siamese'] };
    expect((await guide.call('find_cats', input)).output).toBe(JSON.stringify(input));
  });

  it('asks before a route writes, and sends it a key against repetition', async () => {
    const input = { id: 17, 'x-reason': 'moved', street: 'Rue du Four 1', postcode: '75006' };
    const asked = await guide.chat({}, { toolCalls: [{ name: 'move_order', input }] }, 'Done.');
    expect(asked).toMatchObject({ status: 'requires_action' });
    const [action] = asked.pendingActions;
    const { body } = await guide.post(`/agent/runs/${asked.runId}/actions`, {
      actions: [{ callId: action?.callId, type: 'approve' }],
    });
    const { toolCalls } = body as typeof asked;
    expect(JSON.parse(toolCalls[0]?.output as string)).toEqual({
      id: 17,
      user: 'ada',
      address: { street: 'Rue du Four 1', postcode: '75006' },
      reason: 'moved',
      hasKey: true,
    });
  });

  it('puts a body that clashes under "body"', async () => {
    const { output } = await guide.call('rename_file', { name: '../a', body: { name: 'b' } });
    expect(output).toBe('{"name":"../a","newName":"b"}');
  });

  it('offers routes of controllers that know nothing of it', async () => {
    const { body } = await guide.get('/agent/tools');
    const described = (body as { name: string; description: string }[]).map(
      ({ name, description }) => `${name}: ${description}`,
    );
    expect(described).toContain('payments_find_all: Find all: GET /payments');
    expect(described).toContain('invoices_remind: Remind: POST /invoices/{number}/reminders');
    expect(described.join()).not.toContain('payments_create');
    expect(TEXT).toContain('`Remind: POST /invoices/{number}/reminders`');
    const { output } = await guide.call('list_invoices', { year: '2026' });
    expect(output).toBe('["2026-001","2026-002"]');
  });

  it('forwards what the guide says, and nothing else', async () => {
    guide.model.push({ toolCalls: [{ name: 'echo_headers' }] }, 'Done.');
    const { body } = await guide.post('/agent/chat', { message: 'Go on' }).set({
      cookie: 'a=1',
      'accept-language': 'fr',
      'x-request-id': '1',
      traceparent: '2',
      tracestate: '3',
      'x-tenant': 'acme',
      'x-feature-new': 'on',
      'x-forwarded-for': '10.0.0.1',
      'x-other': 'no',
      referer: 'no',
    });
    const { toolCalls } = body as { toolCalls: { output: string }[] };
    const seen = JSON.parse(toolCalls[0]?.output ?? '') as { headers: object; ip: string };
    expect(Object.keys(seen.headers).sort()).toEqual([
      'accept',
      'accept-language',
      'authorization',
      'connection',
      'cookie',
      'host',
      'traceparent',
      'tracestate',
      'x-agent-depth',
      'x-feature-new',
      'x-request-id',
      'x-tenant',
    ]);
    expect(seen).toMatchObject({ ip: '127.0.0.1', headers: { host: 'localhost' } });
  });

  it.each([
    ['get_order', { id: 18 }, true],
    ['get_order', { id: 17, user: 'grace' }, true],
    ['echo_forbidden', {}, true],
    ['echo_moved', {}, true],
    ['echo_nothing', {}, false],
  ])('quotes what the model reads of %s %j', async (tool, input, fails) => {
    const { isError, output } = await guide.call(tool, input);
    expect({ isError, isQuoted: TEXT.includes(`\`${output as string}\``), output }).toMatchObject({
      isError: fails,
      isQuoted: true,
    });
  });
});

describe('the guide to tools on routes', () => {
  it('finds the address of a route', async () => {
    @Controller({ path: ['files', 'documents'], version: ['2', '1'] })
    class FilesController {
      @Tool({ description: 'Read a file' })
      @Get(['*path', 'first/*path'])
      read() {
        return 'read';
      }
    }
    @Module({ imports: [AgentModule.forRoot({})], controllers: [FilesController] })
    class FilesModule {}
    const app = await NestFactory.create(FilesModule, { logger: false });
    app.setGlobalPrefix('api').enableVersioning({ type: VersioningType.URI });
    app.use((request: { url: string }, _response: unknown, next: () => void) => {
      urls.push(request.url);
      next();
    });
    const urls: string[] = [];
    await app.init();
    const call = await app
      .get(ToolCallFactory)
      .create('files_read', { path: 'a b/../c' }, { principal: 'ada' });
    expect(call.response.error?.message).toBe(
      'Invalid arguments: /path: must not have "." or ".." as a path segment',
    );
    const good = await app.get(ToolCallFactory).create('files_read', { path: 'a b/c' });
    await good.response.execute();
    expect(urls).toEqual(['/api/v2/files/a%20b/c']);
    await app.close();
  });

  it('sends the calls to another process', async () => {
    const served = await GuideApp.start(AppModule);
    const agent = await GuideApp.start(remoteModule(served.url));
    const { output } = await agent.call('get_order', { id: 17 });
    expect(output).toBe('{"id":17,"user":"ada"}');
    await agent.close();
    await served.close();
  });

  it('leaves routes out where there is no HTTP', async () => {
    const lines: string[] = [];
    const log = (line: unknown) => void lines.push(String(line));
    const logger = { log, warn: log, error: log };
    const app = await NestFactory.createApplicationContext(AppModule, { logger });
    const names = app.get(ToolRegistry).list();
    await app.close();
    expect(names).toEqual([]);
    const line = lines.find((each) => each.startsWith('No HTTP here')) ?? '';
    const [before, , after] = line.split(/: (?=\w+Controller)|\. (?=Set)/);
    expect(TEXT).toContain(before);
    expect(TEXT).toContain(after);
  });
});

describe('the guide to tools on routes quotes what stops the boot', () => {
  @Controller('reports')
  class Streamed {
    @Tool({ description: 'Watch' })
    @Sse('watch')
    watch() {
      return EMPTY;
    }
  }
  @Controller('reports')
  class Uploaded {
    @Tool({ description: 'Upload' })
    @Post()
    upload(@UploadedFile() file: unknown) {
      return file;
    }
  }
  @Controller('reports')
  class Routeless {
    @Tool({ description: 'Count' })
    count() {}
  }
  @Controller('reports')
  class Contradicting {
    @Tool({ description: 'Count', method: 'POST' })
    @Get()
    count() {}
  }
  @Injectable()
  class NoController {}
  const options = (controller: Type<unknown>, method: string) => ({
    exposeControllers: [{ controller, tools: { [method]: { description: 'List' } } }],
  });

  it.each<[string, Type<unknown>, object?]>([
    ['a stream', Streamed],
    ['an upload', Uploaded],
    ['no route', Routeless],
    ['a contradiction', Contradicting],
    ['an unknown method', InvoicesController, options(InvoicesController, 'find')],
    ['an unknown controller', InvoicesController, options(NoController, 'find')],
  ])('%s', async (_what, controller, more = {}) => {
    if (controller !== InvoicesController)
      Object.defineProperty(controller, 'name', { value: 'ReportsController' });
    @Module({ imports: [AgentModule.forRoot(more)], controllers: [controller] })
    class BrokenModule {}
    const message = await bootError(BrokenModule);
    expect({ isQuoted: TEXT.includes(message), message }).toMatchObject({ isQuoted: true });
  });
});

describe('the guide to tools on routes that answer in an envelope', () => {
  it('shows the model what is inside, and errors as errors', async () => {
    const guide = await GuideApp.start(EnvelopedModule);
    expect(await guide.call('get_parcel', { id: 17 })).toMatchObject({
      output: '{"id":17}',
      isError: false,
    });
    expect(await guide.call('return_parcel', { id: 17 })).toMatchObject({
      output: 'Done',
      isError: false,
    });
    expect(await guide.call('get_parcel', { id: 18 })).toMatchObject({
      output: 'There is no such parcel.',
      isError: true,
    });
    expect(await guide.call('get_cost', { id: 17 })).toMatchObject({
      output: 'Forbidden resource',
      isError: true,
    });
    await guide.close();
  });
});

describe('the guide to reads that are POST', () => {
  let guide: GuideApp;
  beforeAll(async () => {
    guide = await GuideApp.start(PostsModule);
  });
  afterAll(() => guide.close());

  it('lets them run without a question', async () => {
    expect(await guide.call('pages_info', { page: 'home' })).toMatchObject({
      output: '{"page":"home","title":"Home"}',
      isError: false,
    });
  });

  it('offers all routes but the denied one, and knows which of them read', async () => {
    const { body } = await guide.get('/agent/tools');
    const tools = body as { name: string; readOnly: boolean }[];
    expect(tools.map(({ name, readOnly }) => [name, readOnly])).toEqual([
      ['pages_info', true],
      ['pages_search', true],
      ['pages_update', false],
    ]);
  });
});
