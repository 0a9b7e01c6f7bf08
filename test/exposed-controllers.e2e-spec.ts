import {
  Body,
  Controller,
  Delete,
  Get,
  Head,
  Logger,
  Param,
  ParseIntPipe,
  Post,
  Query,
  Sse,
  UploadedFile,
  UseInterceptors,
  type MessageEvent,
} from '@nestjs/common';
import { FileInterceptor } from '@nestjs/platform-express';
import { ApiBody, ApiOkResponse, ApiOperation, ApiProperty } from '@nestjs/swagger';
import { Allow, IsInt } from 'class-validator';
import { EMPTY, type Observable } from 'rxjs';
import { ADAPTERS, Closers } from './http/agent-app';
import { Tool } from 'nestjs-agent';
import { ToolApplication } from './support/tool-application';

class NewOrder {
  @ApiProperty({ description: 'How many' })
  @IsInt()
  count!: number;
}

class BaseController {
  @Get('archive/:year')
  findArchived(@Param('year', ParseIntPipe) year: number): number {
    return year;
  }
}

/** As a factory makes them: a generic parameter's type is `Object` at run time. */
function listing<Q extends object>() {
  abstract class Listing {
    @Get()
    findAll(@Query() query: Q): Q {
      return query;
    }
  }
  return Listing;
}

class TagsQuery {
  @ApiProperty({ description: 'Which page' })
  @IsInt()
  page!: number;

  @Allow()
  type = 'offset';
}

@Controller('tags')
class TagsController extends listing<TagsQuery>() {}

@Controller('writing')
class WritingController {
  @Post()
  create(): void {
    return;
  }
}

/** As of a microservice: its methods handle messages. */
@Controller()
class MessagesController {
  sum(): void {
    return;
  }
}

/** As a generator writes it: no `@Tool`, little documentation, and routes that no tool can be. */
@Controller('orders')
class OrdersController extends BaseController {
  @ApiOperation({ summary: 'List the open orders' })
  @Get()
  findAll(): object[] {
    return [{ id: 1 }];
  }

  @Get(':id')
  findOne(@Param('id', ParseIntPipe) id: number): object {
    return { id };
  }

  @Head(':id/receipt')
  hasReceipt(@Param('id') id: string): string {
    return id;
  }

  @Post()
  create(@Body() order: NewOrder): object {
    return order;
  }

  @Delete(':id')
  remove(@Param('id', ParseIntPipe) id: number): object {
    return { removed: id };
  }

  @Sse('events')
  events(): Observable<MessageEvent> {
    return EMPTY;
  }

  @Post('picture')
  @UseInterceptors(FileInterceptor('file'))
  upload(@UploadedFile() file: unknown): string {
    return String(file);
  }

  /** No route. */
  total(): number {
    return 1;
  }
}

describe('a controller that is exposed', () => {
  let tools: ToolApplication | undefined;
  afterEach(() => tools?.close());
  const boot = async (
    ...exposed: NonNullable<Parameters<typeof ToolApplication.boot>[1]>['exposed'] & object
  ) => {
    tools = await ToolApplication.boot({ controllers: [OrdersController] }, { exposed });
    return tools;
  };
  const READING = [
    'orders_find_all',
    'orders_find_one',
    'orders_has_receipt',
    'orders_find_archived',
  ];

  it('as a class alone has all its routes that read as tools, inherited ones too', async () => {
    const { names } = await boot(OrdersController);
    expect(names).toEqual(READING);
  });

  it('with all its routes has every one that can be a tool', async () => {
    const { names } = await boot({ controller: OrdersController, routes: 'all' });
    expect([...names].sort()).toEqual([...READING, 'orders_create', 'orders_remove'].sort());
  });

  it('is described by swagger, or by its methods and paths', async () => {
    const { tool } = await boot({ controller: OrdersController, routes: 'all' }).then((all) => ({
      tool: (name: string) => all.tool(name).definition.description,
    }));
    expect(tool('orders_find_all')).toBe('List the open orders');
    expect(tool('orders_find_one')).toBe('Find one: GET /orders/{id}');
    expect(tool('orders_create')).toBe('Create: POST /orders');
  });

  it('has traits and permissions as decorated routes have', async () => {
    const all = await boot({ controller: OrdersController, routes: 'all' });
    expect(all.tool('orders_find_all').traits).toMatchObject({ readOnly: true });
    expect(all.tool('orders_create').traits).toMatchObject({ readOnly: false, destructive: false });
    expect(all.tool('orders_remove').traits).toMatchObject({ destructive: true });
  });

  it('takes options for single methods, and further methods', async () => {
    const all = await boot({
      controller: OrdersController,
      routes: 'read',
      tools: { findOne: { name: 'get_order', timeoutMs: 5 }, create: { permission: 'allow' } },
    });
    expect(all.names).toEqual([
      'orders_find_all',
      'get_order',
      'orders_has_receipt',
      'orders_find_archived',
      'orders_create',
    ]);
    expect(all.tool('get_order')).toMatchObject({
      timeoutMs: 5,
      definition: { description: 'Find one: GET /orders/{id}' },
    });
    expect(all.tool('orders_create')).toMatchObject({
      permission: 'allow',
      definition: { description: 'Create: POST /orders' },
    });
  });

  it('adds up over several entries', async () => {
    const { names } = await boot(OrdersController, {
      controller: OrdersController,
      tools: { remove: { description: 'Remove an order' } },
    });
    expect(names).toEqual([...READING, 'orders_remove']);
  });

  it('stops the boot where a method that is named cannot be a tool, or has no description', async () => {
    await expect(
      boot({ controller: OrdersController, routes: 'read', tools: { upload: {} } }),
    ).rejects.toThrow(
      'OrdersController.upload: a route that takes uploaded files cannot be a tool',
    );
    await expect(boot({ controller: OrdersController, tools: { findOne: {} } })).rejects.toThrow(
      'OrdersController.findOne: the tool has no description.',
    );
    await expect(boot({ controller: OrdersController, tools: { total: {} } })).rejects.toThrow(
      'OrdersController.total: no route',
    );
  });

  it('has to be given a name where its own is too long', async () => {
    @Controller('long')
    class LongController {
      @Get()
      findOneWithAllOfItsEventsAndAllOfItsActionsByTheIdOfItsOwner(): void {
        return;
      }
    }
    const longest = 'findOneWithAllOfItsEventsAndAllOfItsActionsByTheIdOfItsOwner';
    const booted = ToolApplication.boot(
      { controllers: [LongController] },
      { exposed: [{ controller: LongController, tools: { [longest]: {} } }] },
    );
    await expect(booted).rejects.toThrow(
      'set another with @Tool({ name }) or in exposeControllers.',
    );
  });

  it('clashes as decorated ones do', async () => {
    const Other = { OrdersController: class OrdersController extends BaseController {} };
    Controller('other')(Other.OrdersController);
    await expect(
      ToolApplication.boot(
        { controllers: [OrdersController, Other.OrdersController] },
        { exposed: [OrdersController, Other.OrdersController] },
      ),
    ).rejects.toThrow('Two tools have the name "orders_find_archived"');
  });

  it('leaves out a route whose documentation contains itself, and says why', async () => {
    const tree: { type: 'object'; properties: Record<string, object> } = {
      type: 'object',
      properties: {},
    };
    tree.properties.parent = tree;
    class Branch {
      @ApiProperty(tree)
      tree!: object;
    }
    @Controller('trees')
    class TreesController {
      @ApiBody({ schema: tree })
      @Post()
      plant(@Body() planted: object): object {
        return planted;
      }
      @Post('branches')
      graft(@Body() branch: Branch): Branch {
        return branch;
      }
      @Get()
      count(): number {
        return 1;
      }
    }
    const application = { controllers: [TreesController] };
    tools = await ToolApplication.boot(application, {
      exposed: [{ controller: TreesController, routes: 'all' }],
    });
    expect(tools.names).toEqual(['trees_count']);
    const named = { controller: TreesController, tools: { plant: { description: 'Plant' } } };
    await expect(ToolApplication.boot(application, { exposed: [named] })).rejects.toThrow(
      'TreesController.plant: one of its schemas contains itself, or is nested too deeply.',
    );
  });

  it('keeps a route whose documented answer cannot be told, and says so once', async () => {
    const tree: { type: 'object'; properties: Record<string, object> } = {
      type: 'object',
      properties: {},
    };
    tree.properties.parent = tree;
    const refuse = () => {
      throw new Error('a rock has no JSON');
    };
    class Rock {
      static readonly schema = {
        '~standard': {
          version: 1,
          vendor: 'rocks',
          validate: (value: unknown) => ({ value }),
          jsonSchema: { input: refuse, output: refuse },
        },
      };
    }
    @Controller('trees')
    class TreesController {
      @ApiOkResponse({ schema: tree })
      @Get()
      find(): object {
        return { parent: {} };
      }
      @ApiOkResponse({ type: Rock })
      @Get('below')
      dig(): object {
        return {};
      }
    }
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    tools = await ToolApplication.boot(
      { controllers: [TreesController] },
      { exposed: [TreesController] },
    );
    const log = warn.mock.calls.map(([message]) => String(message)).join('\n');
    warn.mockRestore();
    expect(tools.tool('trees_find').definition.output_schema).toBeUndefined();
    expect(log.split('trees_find (TreesController.find)')).toHaveLength(2);
    expect(log).toContain(
      'The documentation of its result is left out: It contains itself, or is nested too deeply. Correct @ApiResponse or the return type, or say it with output of @Tool.',
    );
    expect(log).toContain('a rock has no JSON. Correct @ApiResponse or the return type');
  });

  it('keeps its decorated methods as they are', async () => {
    @Controller('notes')
    class NotesController {
      @Tool({ name: 'write_note', description: 'Write a note' })
      @Post()
      write(): string {
        return '';
      }
      @Tool({ description: 'Read all notes' })
      @Get()
      read(): string {
        return '';
      }
    }
    tools = await ToolApplication.boot(
      { controllers: [NotesController] },
      { exposed: [NotesController] },
    );
    expect([...tools.names].sort()).toEqual(['notes_read', 'write_note']);
    expect(tools.tool('notes_read').definition.description).toBe('Read all notes');
  });
});

describe.each(ADAPTERS)('an exposed controller on %s', (adapter) => {
  const closers = new Closers();
  afterEach(() => closers.close());

  it('is called as any route tool, and the boot log tells what was left out', async () => {
    const warnings: string[] = [];
    const silent = () => undefined;
    const logger = {
      log: silent,
      error: silent,
      warn: (message: unknown) => void warnings.push(String(message)),
    };
    const { url, model } = await closers.open({
      adapter,
      appOptions: { logger },
      controllers: [OrdersController],
      exposeControllers: [{ controller: OrdersController, routes: 'all' }],
      steps: [{ toolCalls: [{ name: 'orders_find_one', input: { id: 7 } }] }, 'Done.'],
    });
    const response = await fetch(`${url}/agent/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'order 7' }),
    });
    expect(await response.json()).toMatchObject({
      toolCalls: [{ name: 'orders_find_one', output: '{"id":7}', isError: false }],
    });
    expect(model.requests[0]?.tools.map(({ name }) => name)).not.toContain('orders_events');
    const [report, ...others] = warnings.filter((line) => line.includes('OrdersController'));
    expect(others).toEqual([]);
    expect(report).toContain('OrdersController.events\n    - Left out of what exposeControllers');
    expect(report).toContain('OrdersController.upload\n    - Left out of what exposeControllers');
    expect(report).toContain('parameters without a description');
    expect(report).toContain('orders_find_one (OrdersController.findOne)');
    expect(report).not.toContain('orders_find_all');
    expect(report).not.toContain('orders_create');
  });

  it('says in the boot report of which controllers it exposes nothing', async () => {
    const warnings: string[] = [];
    const silent = (): void => undefined;
    const logger = {
      log: silent,
      error: silent,
      warn: (message: unknown) => void warnings.push(String(message)),
    };
    await closers.open({
      adapter,
      appOptions: { logger },
      controllers: [TagsController, WritingController, MessagesController],
      exposeControllers: [
        TagsController,
        WritingController,
        { controller: MessagesController, routes: 'all' },
      ],
      steps: [],
    });
    const report = warnings.join('\n');
    expect(report).toContain(
      "WritingController\n    - exposeControllers exposes nothing of it: it has no GET route. Set routes: 'all'",
    );
    expect(report).toContain(
      'MessagesController\n    - exposeControllers exposes nothing of it: it has no route.',
    );
    expect(report).not.toContain('TagsController\n    - exposeControllers');
  });

  it('takes from `input` what a generic parameter cannot say, and from `presets` what stays hidden', async () => {
    const { url, model } = await closers.open({
      adapter,
      controllers: [TagsController],
      exposeControllers: [
        { controller: TagsController, routes: 'read', tools: { findAll: { input: TagsQuery } } },
      ],
      presets: { tags_find_all: { type: 'cursor' } },
      steps: [{ toolCalls: [{ name: 'tags_find_all', input: { page: 2 } }] }, 'Done.'],
    });
    const response = await fetch(`${url}/agent/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'more tags' }),
    });
    expect(await response.json()).toMatchObject({
      toolCalls: [{ output: '{"page":"2","type":"cursor"}', isError: false }],
    });
    const offered = model.requests[0]?.tools.find(({ name }) => name === 'tags_find_all');
    expect(Object.keys(offered?.input_schema.properties ?? {})).toEqual(['page']);
  });
});
