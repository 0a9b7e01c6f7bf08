import { Body, Controller, Get, Injectable, Param, Post, Put, Query, Req } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiProperty } from '@nestjs/swagger';
import { IsEnum, IsInt, IsObject, IsOptional, IsString } from 'class-validator';
import { Tool, ToolField, ToolParam, ToolRegistry } from 'nestjs-agent';
import { z } from 'zod';
import { Closers } from './http/agent-app';

class Undecorated {
  anything!: string;
}

class Line {
  @ToolField({ description: 'Whatever the shop wants to know' })
  extra!: unknown;
}

class Order {
  @ApiProperty({ description: 'Its number' })
  @IsInt()
  id!: number;

  @ApiProperty({ type: [Line], description: 'What was ordered' })
  lines!: Line[];
}

@Controller('orders')
class OrdersController {
  @Tool({ description: 'Search orders' })
  @Get()
  search(@Query('page') page: string, @Query('size') size: string): string {
    return `${page} ${size}`;
  }

  @Tool({ description: 'Order something' })
  @Post()
  create(@Body() order: Order): string {
    return JSON.stringify(order);
  }

  @Tool({ description: 'One order, said to be a list' })
  @ApiOkResponse({ type: [Order] })
  @Get('last')
  last(): Order {
    return new Order();
  }

  @Tool({ description: 'A list, said to be one order' })
  @ApiOkResponse({ type: Order })
  @Get('all')
  all(): Order[] {
    return [];
  }

  @Tool({ description: 'Of a class that says nothing' })
  @ApiOkResponse({ type: Undecorated })
  @Get('raw')
  raw(): Undecorated {
    return { anything: '' };
  }

  @Tool({ description: 'As it should be' })
  @ApiOkResponse({ type: [Order] })
  @Get('good/:id')
  good(@Param('id') @ToolParam({ description: 'Its number' }) id: string): Order[] {
    return [new Order()].slice(Number(id));
  }
}

@Controller('short')
class ShortenedController {
  @Tool({ description: 'Count them' })
  @Get()
  count(): number {
    return 1;
  }

  @Tool({ name: 'sum_short', description: 'Add them' })
  @Get('sum')
  sum(): number {
    return 1;
  }
}

/** Compiled with `import type`, the class of a parameter is `Object` at run time, as an interface is. */
interface Note {
  readonly text: string;
}

class Mark {
  @IsOptional()
  @IsObject()
  selection?: { anchor: unknown; head: unknown };

  @ToolField({ schema: { type: 'object', additionalProperties: false } })
  style!: object;
}

@Controller('marks')
class MarksController {
  @Tool({ name: 'add_mark', description: 'Mark something', permission: 'allow' })
  @Post()
  add(@Body() mark: Mark): Mark {
    return mark;
  }
}

@Controller('notes')
class NotesController {
  @Tool({ name: 'add_note', description: 'Note something' })
  @Post()
  add(@Body() note: Note): Note {
    return note;
  }

  @Tool({ name: 'list_notes', description: 'List notes' })
  @Get()
  list(@Query() page: Note): Note {
    return page;
  }

  @Tool({ name: 'touch_notes', description: 'Say that the user has seen them' })
  @Post('seen')
  touch(@Req() request: { readonly url: string }): string {
    return request.url;
  }

  @Tool({ name: 'sketch_note', description: 'Sketch something' })
  @Post('sketches')
  sketch(@Body() note: Note = { text: '' }): Note {
    return note;
  }

  @Tool({ name: 'tag_note', description: 'Tag a note' })
  @Post('tags')
  tag(
    @Body('tags')
    @ToolParam({
      description: 'Tags by name',
      schema: { type: 'object', additionalProperties: true },
    })
    tags: object,
  ): object {
    return tags;
  }
}

@Injectable()
class GoodTools {
  @Tool({ description: 'Greet somebody' })
  greet(@ToolParam('name', { description: 'Whom' }) name: string): string {
    return `Hello ${name}`;
  }
}

@Injectable()
class OpenTools {
  @Tool({ description: 'Of a class that says nothing', input: Undecorated })
  guess(input: Undecorated): string {
    return input.anything;
  }

  @Tool({
    description: 'Of any fields, as it says',
    input: { type: 'object', additionalProperties: true, description: 'Labels by name' },
  })
  label(input: object): object {
    return input;
  }
}

/** As the compiler plugin emits it. */
class CompiledTools {
  static _NESTJS_AGENT_METADATA() {
    const parameters = [{ name: 'name', type: { type: 'string' } }];
    return { methods: { whole: { description: 'Whole (compiled)', parameters } } };
  }

  @Tool()
  whole(name: string): string {
    return name;
  }
}

class Login {
  @ToolField({ description: 'Of the account' })
  @IsString()
  name!: string;

  @ToolField({ description: 'Of the account' })
  @IsString()
  old_password!: string;

  @ApiProperty({ description: 'Of the account', format: 'password' })
  @IsString()
  password!: string;
}

class LoginTools {
  @Tool({ description: 'Change a password', input: Login })
  change(login: Login): string {
    return login.name;
  }

  @Tool({ description: 'List a page' })
  page(
    @ToolParam('apiKey', { description: 'Of the list', sensitive: true }) apiKey: string,
    @ToolParam('accessToken', { description: 'Of the list' }) accessToken: string,
    @ToolParam('pageToken', { description: 'Of the last page' }) pageToken: string,
    @ToolParam('resetPassword', { description: 'Whether to' }) resetPassword: boolean,
  ): string {
    return apiKey + accessToken + pageToken + String(resetPassword);
  }
}

class Vault {
  @ToolField({ description: 'Opens it' })
  password!: string;
}

class Box {
  @ToolField({ description: 'In the box' })
  vault!: Vault;
}

class Parcel {
  @ToolField({ description: 'In the parcel' })
  box!: Box;
}

class Shipment {
  @ToolField({ description: 'In the shipment' })
  parcel!: Parcel;
}

class Delivery {
  @ToolField({ description: 'What comes' })
  shipment!: Shipment;

  @ToolField({ description: 'Where it goes' })
  vault!: Vault;
}

class DeliveryTools {
  @Tool({ description: 'Deliver', input: Delivery })
  deliver(delivery: Delivery): string {
    return delivery.vault.password;
  }
}

class Search {
  @ToolField({ description: 'What is sought' })
  filter!: unknown;

  @IsObject()
  author!: object;

  @IsString()
  password!: string;
}

/** Controllers as a generator writes them, all with the same warnings. */
const alike = Array.from({ length: 6 }, (_, index) => {
  @Controller(`alike${index}`)
  class AlikeController {
    @Tool({ name: `alike_${index}`, description: 'Search' })
    @Post()
    search(@Body() { filter }: Search): string {
      return String(filter);
    }
  }
  return AlikeController;
});

/** As an entity with all its relations is. */
class Wide {
  @ToolField({
    description: 'Its relations',
    schema: {
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 500 }, (_, index) => [`relation_${index}`, { type: 'string' }]),
      ),
      additionalProperties: false,
    },
  })
  relations!: object;
}

class WideTools {
  @Tool({ description: 'Save all' })
  save(@ToolParam('wide', { description: 'All' }) wide: Wide): string {
    return JSON.stringify(wide);
  }
}

class LateTools {
  @Tool({ description: 'Part with somebody' })
  part(@ToolParam('name') name: string): string {
    return `Bye ${name}`;
  }
}

const passwordWith = (meta: object) =>
  z.object({ password: z.string().meta({ description: 'Its password', ...meta }) });

class ZodTools {
  @Tool({ description: 'Log in', input: passwordWith({ writeOnly: true }) })
  marked(): void {}

  @Tool({ description: 'Log in', input: passwordWith({}) })
  unmarked(): void {}
}

describe('the boot report', () => {
  const closers = new Closers();
  let warnings: string[];
  beforeEach(() => {
    warnings = [];
  });
  afterEach(() => closers.close());
  const open = (controllers: (new () => object)[], ...providers: (new () => object)[]) => {
    const silent = () => undefined;
    const warn = (message: unknown) => void warnings.push(String(message));
    const appOptions = { logger: { log: silent, error: silent, warn } };
    return closers.open({ appOptions, controllers, providers: [GoodTools, ...providers] });
  };
  const report = () => warnings.filter((line) => line.startsWith('Some tools may not work'));

  it('is one message about all doubtful tools', async () => {
    await open([OrdersController]);
    expect(report()).toHaveLength(1);
    const [text = ''] = report();
    expect(text).toContain(
      '  orders_search (OrdersController.search)\n    - No description of "page", "size".',
    );
    expect(text).toContain(
      '  orders_create (OrdersController.create)\n    - Nothing is known of the type of "lines[].extra"',
    );
    expect(text).toContain(
      '  orders_last (OrdersController.last)\n    - Its result is described as an array, but the method is declared to return an object.',
    );
    expect(text).toContain(
      '  orders_all (OrdersController.all)\n    - Its result is described as an object, but the method is declared to return an array.',
    );
    expect(text).toContain(
      '  orders_raw (OrdersController.raw)\n    - Its result is described as an empty object.',
    );
    expect(text).not.toContain('orders_good');
    expect(text).not.toContain('greet');
  });

  it('names tools that have the shortened name of a class', async () => {
    Object.defineProperty(ShortenedController, 'name', { value: 'aT' });
    await open([ShortenedController]);
    const [text = ''] = report();
    expect(text).toContain(
      "  a_t_count (aT.count)\n    - Its class has a name that a bundler shortened, so the tool's name may change with each build. Keep the names of classes (--keep-names of esbuild, keep_classnames of Terser), or set name in @Tool.",
    );
    expect(text).not.toContain('sum_short');
  });

  it('names requests of whose fields nothing is known, as of a class imported by its type alone', async () => {
    await open([NotesController]);
    const [text = ''] = report();
    expect(text).toContain(
      '  add_note (NotesController.add)\n    - Nothing is known of the fields of "body", so the model has to guess them. Give it a class, imported without "import type", with decorated properties or described by the compiler plugin, or',
    );
    expect(text).toContain(
      '  sketch_note (NotesController.sketch)\n    - Nothing is known of the fields of "body"',
    );
    expect(text).toContain(
      '  list_notes (NotesController.list)\n    - Nothing is known of the fields of "query"',
    );
    expect(text).toContain(
      '  touch_notes (NotesController.touch)\n    - It takes the request, so the model may send a "body" of unknown fields.',
    );
    expect(text).not.toContain('tag_note');
  });

  it('names lists of whose members nothing is known', async () => {
    @Controller('crews')
    class CrewsController {
      @Tool({ name: 'set_crew', description: 'Set a crew' })
      @Put()
      set(@Body() members: Line[]): number {
        return members.length;
      }

      @Tool({ name: 'call_crew', description: 'Call a crew' })
      @ApiBody({ type: [String], description: 'Their names' })
      @Post()
      call(@Body() members: string[]): number {
        return members.length;
      }
    }
    await open([CrewsController]);
    const [text = ''] = report();
    expect(text).toContain(
      '  set_crew (CrewsController.set)\n    - Nothing is known of the type of "body[]", so the model may send anything.',
    );
    expect(text).not.toContain('call_crew');
  });

  it('names the compiler where it wrote no types of a method', async () => {
    @Controller('songs')
    class SongsController {
      @Tool({ name: 'add_song', description: 'Add a song' })
      @Post()
      add(@Body() song: Order): Order {
        return song;
      }
    }
    Reflect.deleteMetadata('design:paramtypes', SongsController.prototype, 'add');
    await open([SongsController]);
    expect(report().join('')).toMatch(
      /add_song .*\n {4}- Nothing is known of the fields of "body".*\n {4}- The compiler wrote no types of the method\. Set emitDecoratorMetadata.* Of a method that a library makes at run time, say what it takes/,
    );
  });

  it('names tools whose whole input is a class of which nothing is known', async () => {
    await open([], OpenTools);
    const [text = ''] = report();
    expect(text).toContain(
      '  guess (OpenTools.guess)\n    - Nothing is known of the fields of its input, so the model has to guess them.',
    );
    expect(text).not.toContain('label');
  });

  it('names tools whose input schema is long', async () => {
    await open([], WideTools);
    expect(report().join('')).toMatch(
      /save \(WideTools\.save\)\n {4}- Its input schema has 1[6-9] kB, which makes requests to the model long\./,
    );
  });

  it('tells objects that take any fields from those that take none', async () => {
    await open([MarksController]);
    const [text = ''] = report();
    expect(text).toContain('Nothing is known of the fields of "selection", so the model');
    expect(text).toContain('No property is known of "style", so only {} is accepted.');
  });

  it('says once what many tools have alike: unknown types and unknown fields', async () => {
    await open(alike);
    const [text = ''] = report();
    expect(text).toContain(
      '  6 tools have arguments of unknown type, so the model may send anything; say the type with @ToolParam, @ToolField or @ApiProperty: alike_0 ',
    );
    expect(text).toContain(
      '  6 tools have objects of unknown fields, which the model has to guess;',
    );
    expect(text).toContain(
      "  6 tools have arguments named like secrets, which approvals and transcripts show; mark them with sensitive of @ToolParam or @ToolField, format: 'password' of @ApiProperty, or .meta({ writeOnly: true }) of zod: alike_0 ",
    );
    expect(text).not.toMatch(/Nothing is known of|Approvals and transcripts show/);
  });

  it('names arguments that no value fits, as of a rule that is given the options of another', async () => {
    const Kind = { Cat: 'cat', Dog: 'dog' };
    class Pet {
      @ApiProperty({ description: 'Its kind' })
      @IsEnum({ enum: Kind })
      kind!: string;
    }
    @Controller('pets')
    class PetsController {
      @Tool({ name: 'add_pets', description: 'Add pets' })
      @ApiBody({ type: Pet, isArray: true })
      @Post()
      add(@Body() pets: Pet[]): number {
        return pets.length;
      }
    }
    await open([PetsController]);
    expect(report()[0]).toContain(
      '  add_pets (PetsController.add)\n    - No value fits "body[].kind", so every call with it is refused. Correct its validators.',
    );
  });

  it('tells of tools that come later as they come', async () => {
    const { app } = await open([]);
    warnings.length = 0;
    app.get(ToolRegistry).registerToolkit(new LateTools());
    expect(warnings).toEqual([
      'part (LateTools.part): No description of "name". Give one with @ToolParam, @ToolField, @ApiParam, @ApiQuery, @ApiProperty or .describe() of zod.',
    ]);
  });

  it('names arguments that are secret by their names, unless they are marked', async () => {
    const { app } = await open([]);
    warnings.length = 0;
    app.get(ToolRegistry).registerToolkit(new LoginTools());
    expect(warnings).toEqual([
      expect.stringContaining(
        'change (LoginTools.change): Approvals and transcripts show "old_password", although',
      ),
      expect.stringContaining(
        'page (LoginTools.page): Approvals and transcripts show "accessToken", although',
      ),
    ]);
  });

  it('says how a secret of zod is marked, which is then no warning', async () => {
    const { app } = await open([]);
    warnings.length = 0;
    app.get(ToolRegistry).registerToolkit(new ZodTools());
    expect(warnings).toEqual([
      expect.stringMatching(
        /^unmarked \(ZodTools\.unmarked\): .* or \.meta\(\{ writeOnly: true \}\) of zod\.$/,
      ),
    ]);
  });

  it('finds what a class holds at its nearest place, also if a farther one comes first', async () => {
    const { app } = await open([]);
    warnings.length = 0;
    app.get(ToolRegistry).registerToolkit(new DeliveryTools());
    expect(warnings).toEqual([expect.stringContaining('show "vault.password", although')]);
  });

  it('asks for comments where the compiler plugin reads them', async () => {
    const { app } = await open([]);
    warnings.length = 0;
    app.get(ToolRegistry).registerToolkit(new CompiledTools());
    expect(warnings).toEqual([
      expect.stringContaining(
        'No description of "name". Give one with a comment beside it, @param, ',
      ),
    ]);
  });
});
