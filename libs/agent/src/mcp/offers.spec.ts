import {
  Body,
  type CanActivate,
  Controller,
  type ExecutionContext,
  ForbiddenException,
  Get,
  Injectable,
  NotFoundException,
  Param,
  ParseIntPipe,
  Post,
  Query,
  Scope,
  StreamableFile,
  UseGuards,
} from '@nestjs/common';
import { ToolParam } from '../decorators';
import { ToolContext, ToolError, ToolResult } from '../tool';
import { McpPrompt, McpResource } from './decorators';
import { ADAPTERS, BearerGuard, type OffersApp, offersApp } from './fixtures/offers-app';
import { McpPrompts } from './prompts';
import type { McpPromptResult } from './prompts';
import { McpResources } from './resources';

const PNG = 'iVBORw0KGgo=';

@Injectable()
class OnlyAlice implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { user } = context.switchToHttp().getRequest<{ user?: { id: string } }>();
    if (user?.id === 'alice') return true;
    throw new ForbiddenException('Only for alice.');
  }
}

enum Language {
  English = 'english',
  Esperanto = 'esperanto',
  French = 'french',
}

const suggested: string[] = [];

@Injectable()
class Shelf {
  readonly titles = ['Anna', 'Emma', 'Ergo'];
}

@Injectable()
class Library {
  @McpResource({ uri: 'library://rules', title: 'Rules', description: 'What all readers keep to' })
  rules(ctx: ToolContext): string {
    return `Be quiet, ${ctx.principal ?? 'stranger'}.`;
  }

  @McpResource({ uri: 'library://books/{number}', name: 'book' })
  book(@ToolParam('number') number: number, @ToolParam('page', { required: false }) page?: number) {
    if (number === 404) throw new NotFoundException('SELECT failed for 404');
    return { number, page: page ?? null };
  }

  @McpResource({ uri: 'library://cover', mimeType: 'image/png' })
  cover(): Uint8Array {
    return Buffer.from(PNG, 'base64');
  }

  @McpResource({ uri: 'library://mixed', mimeType: 'text/markdown' })
  mixed(): ToolResult {
    return new ToolResult([
      { type: 'text', text: '# Cover' },
      { type: 'image', mediaType: 'image/png', data: PNG },
      { type: 'file', url: 'https://example.com/a.pdf' },
    ]);
  }

  @McpResource({ uri: 'library://streamed' })
  streamed(): StreamableFile {
    return new StreamableFile(Buffer.from('a,b'), { type: 'text/csv' });
  }

  @McpResource({ uri: 'library://long' })
  long(): string {
    return 'x'.repeat(50_000);
  }

  @McpResource({ uri: 'library://too-long' })
  too_long(): string {
    return 'é'.repeat(600_000);
  }

  @McpResource({ uri: 'library://broken' })
  broken(): string {
    throw new Error('password=hunter2');
  }

  @McpResource({ uri: 'library://closed' })
  closed(): string {
    throw new ToolError('The library is closed.');
  }

  @UseGuards(OnlyAlice)
  @McpResource({ uri: 'library://diary' })
  diary(): string {
    return 'Dear diary';
  }

  @UseGuards(OnlyAlice)
  @McpResource({ uri: 'library://diary/{day}', name: 'diary_day' })
  day(@ToolParam('day', { complete: record }) day: string): string {
    return day;
  }
}

function record(value: string): readonly string[] {
  suggested.push(value);
  return ['monday'];
}

@Injectable({ scope: Scope.REQUEST })
class Prompts {
  @McpPrompt({ title: 'Review a book', description: 'Ask for a review' })
  reviewBook(
    @ToolParam('number', { description: 'Of the book' }) number: number,
    @ToolParam('language', { enum: Language, default: Language.English }) language: Language,
    ctx: ToolContext,
  ): string {
    return `${ctx.principal ?? '?'}: review ${typeof number} ${number} in ${language}`;
  }

  @McpPrompt({ name: 'talk-about' })
  talk(
    @ToolParam('title', {
      complete: (value, ctx) =>
        ctx
          .get(Shelf)
          .titles.filter((title) => title.startsWith(value))
          .map((title) => `${title} for ${ctx.principal ?? '?'} ${ctx.arguments['mood'] ?? ''}`),
    })
    title: string,
    @ToolParam('mood', {
      required: false,
      complete: () => {
        throw new Error('no mood');
      },
    })
    mood?: string,
    @ToolParam('many', {
      required: false,
      complete: async () => Array.from({ length: 150 }, (_, index) => `n${index}`),
    })
    many?: string,
  ): McpPromptResult {
    return [
      { role: 'user', content: `Talk about ${title}${mood ?? ''}${many ?? ''}` },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Gladly.' },
          { type: 'image', mediaType: 'image/png', data: PNG },
        ],
      },
      { role: 'user', content: { type: 'text', text: 'Go on.' } },
    ];
  }

  @McpPrompt()
  wrong(): unknown {
    return [{ role: 'system', content: 'secret-system' }];
  }

  @UseGuards(OnlyAlice)
  @McpPrompt()
  private_prompt(@ToolParam('day', { complete: record }) day: string): string {
    return day;
  }
}

@UseGuards(BearerGuard)
@Controller('orders')
class OrdersController {
  @McpResource({ uri: 'orders://{id}', title: 'An order' })
  @Get(':id')
  order(@Param('id', ParseIntPipe) id: number): object {
    if (id === 9) throw new NotFoundException('No order 9.');
    return { id };
  }

  @McpResource({ uri: 'orders://search?q={q}' })
  @Get()
  search(@Query('q') q: string): object {
    return { q };
  }

  @McpResource({ uri: 'orders://{id}/lines/{line}', name: 'order_line' })
  @Get(':id/lines/:line')
  line(@Param('id') id: string, @Param('line') line: string): string {
    return `${id}:${line}`;
  }

  @Get('admin/secrets')
  secrets(): string {
    return 'hunter2';
  }

  @UseGuards(OnlyAlice)
  @McpResource({ uri: 'orders://latest/receipt' })
  @Get('receipts/latest')
  receipt(): StreamableFile {
    return new StreamableFile(Buffer.from('%PDF'), { type: 'application/pdf' });
  }
}

const OFFERED = { providers: [Library, Prompts, Shelf], controllers: [OrdersController] };

describe.each(ADAPTERS)('resources and prompts on %s', (adapter) => {
  let opened: OffersApp;
  const as: OffersApp['as'] = (...args) => opened.as(...args);
  const read = async (uri: string, user = 'alice') => as(user, 'resources/read', uri);
  const complete = async (ref: object, name: string, value: string, user = 'alice') =>
    as(user, 'completion/complete', { ref, argument: { name, value } });

  beforeAll(async () => {
    opened = await offersApp(OFFERED, adapter);
  });
  afterAll(() => opened.app.close());
  beforeEach(() => {
    suggested.length = 0;
  });

  it('lists resources with fixed URIs and templates', async () => {
    const { result } = await as('alice', 'resources/list');
    expect(result).toContainEqual({
      uri: 'library://rules',
      name: 'rules',
      title: 'Rules',
      description: 'What all readers keep to',
    });
    expect(result).toContainEqual({
      uri: 'library://cover',
      name: 'cover',
      mimeType: 'image/png',
    });
    expect(await as('alice', 'resources/templates/list')).toEqual({
      result: [
        { uriTemplate: 'orders://{id}', name: 'orders_order', title: 'An order' },
        { uriTemplate: 'orders://search?q={q}', name: 'orders_search' },
        { uriTemplate: 'orders://{id}/lines/{line}', name: 'order_line' },
        { uriTemplate: 'library://books/{number}', name: 'book' },
        { uriTemplate: 'library://diary/{day}', name: 'diary_day' },
      ],
    });
  });

  it('reads text, values, bytes and blocks', async () => {
    const contents = async (uri: string) => (await read(uri)).result;
    expect(await contents('library://rules')).toEqual([
      { uri: 'library://rules', text: 'Be quiet, alice.' },
    ]);
    expect(await contents('library://books/17')).toEqual([
      {
        uri: 'library://books/17',
        mimeType: 'application/json',
        text: '{"number":17,"page":null}',
      },
    ]);
    expect(await contents('library://cover')).toEqual([
      { uri: 'library://cover', mimeType: 'image/png', blob: PNG },
    ]);
    expect(await contents('library://mixed')).toEqual([
      { uri: 'library://mixed', mimeType: 'text/markdown', text: '# Cover' },
      { uri: 'library://mixed', mimeType: 'image/png', blob: PNG },
      {
        uri: 'library://mixed',
        mimeType: 'text/uri-list',
        text: 'https://example.com/a.pdf',
      },
    ]);
    expect(await contents('library://streamed')).toEqual([
      { uri: 'library://streamed', mimeType: 'text/csv', blob: 'YSxi' },
    ]);
    expect(await contents('orders://5')).toEqual([
      { uri: 'orders://5', mimeType: 'application/json', text: '{"id":5}' },
    ]);
    expect(await contents('orders://search?q=a%26b%3D')).toEqual([
      expect.objectContaining({ text: '{"q":"a&b="}' }),
    ]);
    expect(await contents('orders://5/lines/2%20b')).toEqual([
      { uri: 'orders://5/lines/2%20b', text: '5:2 b' },
    ]);
    expect(await contents('orders://latest/receipt')).toEqual([
      { uri: 'orders://latest/receipt', mimeType: 'application/pdf', blob: 'JVBERg==' },
    ]);
  });

  it('reads a resource whole, or not at all', async () => {
    const long = (await read('library://long')).result as readonly { text: string }[];
    expect(long[0]?.text).toHaveLength(50_000);
    expect((await read('library://too-long')).error).toMatchObject({
      code: -32_603,
      message:
        'The resource is too large: it has 1200000 bytes of text, and 1048576 is the maximum.',
    });
  });

  it.each([
    'library://nothing',
    'library://books/',
    'library://books/1/2',
    'unknown://x',
    'library://books/404',
    'orders://9',
    'orders://admin%2Fsecrets',
    'orders://admin%5Csecrets',
    'orders://..%2Fadmin',
    'orders://..',
    'orders://%2e%2e',
    'orders://5/lines/../../admin/secrets',
    'orders://5/lines/%2E%2E',
    'orders://5%0d%0ax',
    'orders://%E0%A4%A',
    'orders://%',
    'orders://5?admin=1',
    'file:///etc/passwd',
    '',
  ])('finds nothing at %s', async (uri) => {
    expect(await read(uri)).toEqual({
      error: { code: -32_602, message: `Resource not found: ${uri}`, data: { uri } },
    });
  });

  it('refuses URIs that are too long, or whose values have the wrong type', async () => {
    const failure = async (uri: unknown) => (await as('alice', 'resources/read', uri)).error;
    expect(await failure(`orders://${'a'.repeat(8_192)}`)).toEqual({
      code: -32_602,
      message: '"uri" has more than 8192 characters.',
    });
    expect(await failure('library://books/one')).toEqual({
      code: -32_602,
      message: expect.stringContaining('/number'),
      data: { uri: 'library://books/one' },
    });
  });

  it('tells of a failure only what is meant for the client', async () => {
    expect((await read('library://broken')).error).toEqual({
      code: -32_603,
      message: 'The resource failed with an unexpected error.',
      data: { uri: 'library://broken' },
    });
    expect((await read('library://closed')).error?.message).toBe('The library is closed.');
  });

  it('asks the guards of providers and routes for each read', async () => {
    expect((await read('library://diary')).result).toEqual([
      { uri: 'library://diary', text: 'Dear diary' },
    ]);
    for (const uri of ['library://diary', 'library://diary/monday', 'orders://latest/receipt']) {
      const { result, error } = await read(uri, 'mallory');
      expect(result).toBeUndefined();
      expect(error?.message).toMatch(/^Permission denied: .*Only for alice\.$/);
    }
  });

  it('lists prompts with their arguments', async () => {
    const { result } = await as('alice', 'prompts/list');
    expect(result).toEqual([
      {
        name: 'review_book',
        title: 'Review a book',
        description: 'Ask for a review',
        arguments: [
          { name: 'number', description: 'Of the book', required: true },
          { name: 'language', required: false },
        ],
      },
      {
        name: 'talk-about',
        arguments: [
          { name: 'title', required: true },
          { name: 'mood', required: false },
          { name: 'many', required: false },
        ],
      },
      { name: 'wrong' },
      { name: 'private_prompt', arguments: [{ name: 'day', required: true }] },
    ]);
  });

  it('makes messages of a text, and of messages with blocks', async () => {
    expect(await as('alice', 'prompts/get', 'review_book', { number: '17' })).toEqual({
      result: {
        description: 'Ask for a review',
        messages: [
          {
            role: 'user',
            content: { type: 'text', text: 'alice: review number 17 in english' },
          },
        ],
      },
    });
    expect(await as('alice', 'prompts/get', 'talk-about', { title: 'Emma' })).toEqual({
      result: {
        messages: [
          { role: 'user', content: { type: 'text', text: 'Talk about Emma' } },
          { role: 'assistant', content: { type: 'text', text: 'Gladly.' } },
          { role: 'assistant', content: { type: 'image', data: PNG, mimeType: 'image/png' } },
          { role: 'user', content: { type: 'text', text: 'Go on.' } },
        ],
      },
    });
  });

  it('refuses unknown prompts and wrong arguments', async () => {
    const failure = async (name: unknown, args?: unknown) =>
      (await as('alice', 'prompts/get', name, args)).error;
    expect(await failure('nothing')).toEqual({ code: -32_602, message: 'Unknown prompt: nothing' });
    expect(await failure('__proto__')).toMatchObject({ code: -32_602 });
    for (const args of [
      {},
      { number: 'many' },
      { number: '1', language: 'klingon' },
      { number: '1', more: 'x' },
      { number: 1 },
      [],
    ]) {
      expect(await failure('review_book', args)).toMatchObject({ code: -32_602 });
    }
  });

  it('takes __proto__ for the name of an argument that does not exist', async () => {
    const args = JSON.parse('{"number":"1","__proto__":"x"}') as Record<string, string>;
    const caller = { request: {}, signal: new AbortController().signal };
    const prompts = opened.app.get(McpPrompts, { strict: false });
    await expect(prompts.get('review_book', args, caller)).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringContaining('__proto__'),
    });
  });

  it('answers with an error where a method returns no messages, without showing them', async () => {
    expect(await as('alice', 'prompts/get', 'wrong')).toEqual({
      error: { code: -32_603, message: 'The prompt failed with an unexpected error.' },
    });
  });

  it('asks the guards of a prompt', async () => {
    const { error } = await as('mallory', 'prompts/get', 'private_prompt', { day: 'x' });
    expect(error).toEqual({ code: -32_603, message: 'Permission denied: Only for alice.' });
  });

  it('completes enums, and what a function suggests', async () => {
    const review = { type: 'ref/prompt', name: 'review_book' };
    const talk = { type: 'ref/prompt', name: 'talk-about' };
    expect(await complete(review, 'language', 'e')).toEqual({
      result: { completion: { values: ['english', 'esperanto'], total: 2, hasMore: false } },
    });
    expect(await complete(review, 'number', '1')).toEqual({
      result: { completion: { values: [], total: 0, hasMore: false } },
    });
    const context = { arguments: { mood: 'gay' } };
    const argument = { name: 'title', value: 'E' };
    expect(await as('bob', 'completion/complete', { ref: talk, argument, context })).toEqual({
      result: {
        completion: { values: ['Emma for bob gay', 'Ergo for bob gay'], total: 2, hasMore: false },
      },
    });
    const many = (await complete(talk, 'many', '')).result as {
      completion: { values: readonly string[] };
    };
    expect(many.completion).toMatchObject({ total: 150, hasMore: true });
    expect(many.completion.values).toHaveLength(100);
  });

  it('suggests nothing where a function fails', async () => {
    expect(await complete({ type: 'ref/prompt', name: 'talk-about' }, 'mood', '')).toEqual({
      result: { completion: { values: [], total: 0, hasMore: false } },
    });
  });

  it('runs no function for callers that the guards refuse', async () => {
    for (const ref of [
      { type: 'ref/prompt', name: 'private_prompt' },
      { type: 'ref/resource', uri: 'library://diary/{day}' },
    ]) {
      const none = await complete(ref, 'day', 'm', 'mallory');
      expect(none.result).toMatchObject({ completion: { values: [] } });
      expect(suggested).toEqual([]);
      const some = await complete(ref, 'day', 'm');
      expect(some.result).toMatchObject({ completion: { values: ['monday'] } });
      expect(suggested.splice(0)).toEqual(['m']);
    }
  });

  it('refuses completions of what does not exist', async () => {
    const wrong = [
      { ref: { type: 'ref/prompt', name: 'nothing' }, argument: { name: 'a', value: '' } },
      { ref: { type: 'ref/resource', uri: 'x://{y}' }, argument: { name: 'y', value: '' } },
      { ref: { type: 'ref/tool', name: 'review_book' }, argument: { name: 'a', value: '' } },
      {
        ref: { type: 'ref/prompt', name: 'review_book' },
        argument: { name: 'constructor', value: '' },
      },
      { ref: { type: 'ref/prompt', name: 'review_book' }, argument: { name: 'number' } },
      {},
    ];
    for (const params of wrong) {
      const { error } = await as('alice', 'completion/complete', params);
      expect(error?.code).toBe(-32_602);
    }
  });
});

describe('per caller', () => {
  let opened: OffersApp | undefined;
  const open = async (...options: Parameters<typeof offersApp>) =>
    (opened = await offersApp(...options));
  // Also where a test failed.
  afterEach(() => opened?.app.close());

  it('lists what the guards allow, where tools are offered guarded', async () => {
    const { as } = await open(OFFERED, 'express', {
      tools: { offer: 'guarded', retry: { maxAttempts: 1 } },
    });
    const names = async (user: string, method: string) =>
      ((await as(user, method)).result as readonly { name: string }[]).map(({ name }) => name);
    expect(await names('alice', 'resources/list')).toEqual(
      expect.arrayContaining(['diary', 'orders_receipt']),
    );
    expect(await names('mallory', 'resources/list')).not.toContain('diary');
    expect(await names('mallory', 'resources/list')).not.toContain('orders_receipt');
    expect(await names('mallory', 'resources/templates/list')).not.toContain('diary_day');
    expect(await names('alice', 'prompts/list')).toContain('private_prompt');
    expect(await names('mallory', 'prompts/list')).not.toContain('private_prompt');
  });

  it('neither lists nor reads what is not visible, or denied', async () => {
    const { as } = await open(OFFERED, 'express', {
      visible: ({ definition }, { principal }) =>
        definition.name !== 'resource_rules' || principal === 'alice',
      permissions: { prompt_review_book: 'deny', resource_cover: 'ask' },
    });
    expect((await as('bob', 'resources/read', 'library://rules')).error).toEqual({
      code: -32_602,
      message: 'Resource not found: library://rules',
      data: { uri: 'library://rules' },
    });
    expect((await as('alice', 'resources/read', 'library://rules')).result).toBeDefined();
    const prompts = (await as('alice', 'prompts/list')).result as readonly { name: string }[];
    expect(prompts.map(({ name }) => name)).not.toContain('review_book');
    expect((await as('alice', 'prompts/get', 'review_book', { number: '1' })).error?.message).toBe(
      'Permission denied: this prompt may not be used.',
    );
    expect((await as('alice', 'resources/read', 'library://cover')).error?.message).toBe(
      'This resource needs an approval, which it cannot ask for.',
    );
  });

  it('fills in presets, which no client can send', async () => {
    @Controller('prices')
    class PricesController {
      @McpResource({ uri: 'prices://{id}' })
      @Get(':id')
      price(@Param('id') id: string, @Query('currency') currency: string): string {
        return `${id} in ${currency}`;
      }
    }
    const offered = { ...OFFERED, controllers: [PricesController] };
    const { as } = await open(offered, 'express', {
      presets: {
        prompt_review_book: { number: ({ principal }: ToolContext) => (principal ?? '').length },
        resource_prices_price: { currency: 'EUR' },
      },
    });
    expect((await as('alice', 'resources/read', 'prices://1')).result).toEqual([
      { uri: 'prices://1', text: '1 in EUR' },
    ]);
    expect((await as('alice', 'prompts/get', 'review_book', {})).result).toMatchObject({
      messages: [{ content: { text: 'alice: review number 5 in english' } }],
    });
    const { error } = await as('alice', 'prompts/get', 'review_book', { number: '1' });
    expect(error?.code).toBe(-32_602);
  });

  it('audits each read under the name of the resource', async () => {
    const records: unknown[] = [];
    const { as } = await open(OFFERED, 'express', {
      audit: { record: (record) => void records.push(record) },
    });
    await as('alice', 'resources/read', 'library://books/17');
    expect(records).toEqual([
      expect.objectContaining({ tool: 'resource_book', principal: 'alice' }),
    ]);
  });

  it('is empty without any', async () => {
    const { app } = await open({});
    expect(app.get(McpResources, { strict: false }).isEmpty).toBe(true);
    expect(app.get(McpPrompts, { strict: false }).isEmpty).toBe(true);
  });
});

describe('a wrong declaration stops the boot', () => {
  const boot = (declared: Parameters<typeof offersApp>[0]) => offersApp(declared);

  it.each([
    ['wrote', /WrongRoutes\.wrote: a resource is a GET route/],
    ['stray', /WrongRoutes\.stray: .* variable "other", but no parameter is called so/],
    ['missing', /WrongRoutes\.missing: nothing fills the required parameter "id"/],
    ['body', /WrongRoutes\.body: a resource has no body/],
    ['noUri', /WrongRoutes\.noUri: uri "orders" is no absolute URI/],
    ['badName', /WrongRoutes\.badName: "two words" cannot be its name/],
    ['prompt', /WrongRoutes\.prompt: a prompt is a method of a provider/],
  ])('%s', async (method, message) => {
    const options = { uri: 'x://y' };
    @Controller('wrong')
    class WrongRoutes {
      @Post()
      wrote() {}

      @Get('stray')
      stray() {}

      @Get('missing/:id')
      missing(@Param('id') _id: string) {}

      @Get('body')
      body(@Body('a') _a: string) {}

      @Get('no-uri')
      noUri() {}

      @Get('bad-name')
      badName() {}

      @Get('prompt')
      prompt() {}
    }
    const decorators: Readonly<Record<string, MethodDecorator>> = {
      wrote: McpResource(options),
      stray: McpResource({ uri: 'x://{other}' }),
      missing: McpResource(options),
      body: McpResource(options),
      noUri: McpResource({ uri: 'orders' }),
      badName: McpResource({ ...options, name: 'two words' }),
      prompt: McpPrompt(),
    };
    const descriptor = Object.getOwnPropertyDescriptor(WrongRoutes.prototype, method)!;
    decorators[method]!(WrongRoutes.prototype, method, descriptor);
    await expect(boot({ controllers: [WrongRoutes] })).rejects.toThrow(message);
  });

  it('names both methods of a URI or a name that is used twice', async () => {
    @Injectable()
    class Twice {
      @McpResource({ uri: 'a://{x}' })
      one(@ToolParam('x') x: string): string {
        return x;
      }

      @McpResource({ uri: 'a://{y}' })
      two(@ToolParam('y') y: string): string {
        return y;
      }
    }
    await expect(boot({ providers: [Twice] })).rejects.toThrow(
      'Twice.one and Twice.two both have the URI "a://{}". Give one resource another one, in the options of its decorator.',
    );

    @Injectable()
    class SameName {
      @McpPrompt({ name: 'p' })
      one(): string {
        return '';
      }

      @McpPrompt({ name: 'p' })
      two(): string {
        return '';
      }
    }
    await expect(boot({ providers: [SameName] })).rejects.toThrow(
      'SameName.one and SameName.two both have the name "p"',
    );
  });
});
