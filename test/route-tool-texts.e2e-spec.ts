import {
  Body,
  Controller,
  Get,
  Logger,
  Param,
  type PipeTransform,
  Post,
  Query,
  UsePipes,
  ValidationPipe,
} from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Transform, Type } from 'class-transformer';
import {
  IsArray,
  IsBoolean,
  IsDate,
  IsEnum,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  Min,
  MinDate,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { Tool } from 'nestjs-agent';
import type { JsonObject } from 'nestjs-agent/types';
import { z } from 'zod';
import { RouteToolApplication } from './route-tools/route-tool-application';
import { createZodDto, ZodValidationPipe } from './route-tools/zod-dto';

class Range {
  @IsOptional()
  @IsString()
  from?: string;
}

class Plain {
  @IsOptional()
  @IsInt()
  @Min(1)
  page?: number;

  @IsOptional()
  @IsNumber({}, { each: true })
  @IsArray()
  sizes?: number[];

  @IsOptional()
  @IsBoolean()
  sold?: boolean;

  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  tags?: string[];

  @IsOptional()
  @ValidateNested()
  @Type(() => Range)
  made?: Range;

  @IsOptional()
  @IsString()
  name?: string;
}

class Converted {
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  page?: number;

  @IsOptional()
  @Type(() => Boolean)
  @IsBoolean()
  sold?: boolean;

  @IsOptional()
  @Transform(({ value }: { value: unknown }) => [value].flat())
  @IsArray()
  @IsString({ each: true })
  tags?: string[];

  @IsOptional()
  @Transform(({ value }: { value: string }) => JSON.parse(value) as unknown)
  @ValidateNested()
  @Type(() => Range)
  made?: Range;

  @ValidateIf((_, value) => typeof value !== 'string')
  @IsInt()
  limit?: number;
}

class Remedied {
  @IsOptional()
  @Transform(({ obj, key }: { obj: Record<string, unknown>; key: string }) =>
    [true, 'true'].includes(obj[key] as string),
  )
  @IsBoolean()
  sold?: boolean;
}

enum Level {
  Low,
  High,
}

class Chosen {
  @IsOptional()
  @IsEnum(Level)
  level?: Level;

  @IsOptional()
  @IsIn([1, 2], { each: true })
  stars?: number[];

  @IsOptional()
  @IsIn([true])
  sold?: boolean;

  @IsOptional()
  @IsIn([1, 'all'])
  page?: number | string;

  @IsOptional()
  @IsEnum(Level)
  @Type(() => Number)
  least?: Level;
}

class Dated {
  @IsOptional()
  @IsDate()
  since?: Date;

  @IsOptional()
  @MinDate(new Date(0))
  @Type(() => Date)
  until?: Date;

  @IsOptional()
  @IsInt()
  page?: number;
}

class Place {
  @IsInt()
  shelf!: number;
}

class Since extends createZodDto(z.object({ since: z.coerce.date() })) {}

class Typed extends createZodDto(
  z.object({
    page: z.number().optional(),
    size: z.coerce.number().optional(),
    sold: z.boolean().optional(),
    fresh: z.coerce.boolean().default(true),
    cheap: z.stringbool().optional(),
    tags: z.array(z.string()).readonly().optional(),
    made: z.object({ from: z.string() }).optional(),
    colours: z.preprocess((value) => [value].flat(), z.array(z.string())).optional(),
  }),
) {}

class OwnPipe extends ValidationPipe {
  override transform(value: object): Promise<object> {
    return Promise.resolve(value);
  }
}

class NumbersPipe implements PipeTransform {
  transform({ page, ...rest }: { page?: string }): unknown {
    return { ...rest, ...(page !== undefined && { page: Number(page) }) };
  }
}

class JsonPipe implements PipeTransform {
  transform(value: string): unknown {
    return JSON.parse(value);
  }
}

@Controller()
class ItemsController {
  @Tool({ name: 'plain', description: 'Items' })
  @Get('plain')
  plain(@Query() query: Plain) {
    return query;
  }

  @Tool({ name: 'converted', description: 'Items' })
  @Get('converted')
  converted(@Query() query: Converted) {
    return query;
  }

  @Tool({ name: 'remedied', description: 'Items' })
  @Get('remedied')
  remedied(@Query() query: Remedied) {
    return query;
  }

  @Tool({ name: 'shelf', description: 'Items of a shelf' })
  @Get('shelves/:shelf')
  shelf(@Param() place: Place) {
    return place;
  }

  @Tool({ name: 'again', description: 'Items' })
  @UsePipes(ValidationPipe)
  @Get('again')
  again(@Query() query: Plain) {
    return query;
  }

  @Tool({ name: 'own', description: 'Items' })
  @Get('own')
  own(@Query(OwnPipe) query: Plain) {
    return query;
  }

  @Tool({ name: 'before', description: 'Items' })
  @Get('before')
  before(@Query(NumbersPipe, ValidationPipe) query: Plain) {
    return query;
  }

  @Tool({ name: 'since', description: 'Items' })
  @UsePipes(ZodValidationPipe)
  @Get('since')
  since(@Query() query: Since): Since {
    return query;
  }

  @Tool({ name: 'typed', description: 'Items' })
  @UsePipes(ZodValidationPipe)
  @Get('typed')
  typed(@Query() query: Typed) {
    return query;
  }

  @Tool({ name: 'made', description: 'Items' })
  @Get('made')
  made(@Query('made') made: Range, @Query('parsed', JsonPipe) parsed: Range) {
    return { made, parsed };
  }
}

@Controller()
class ChoicesController {
  @Tool({ name: 'chosen', description: 'Items' })
  @Get('chosen')
  chosen(@Query() query: Chosen) {
    return query;
  }

  @Tool({ name: 'dated', description: 'Items' })
  @Get('dated')
  dated(@Query() query: Dated) {
    return query;
  }

  @Tool({ name: 'saved', description: 'Items', permission: 'allow' })
  @Post('saved')
  saved(@Body() body: Dated) {
    return body;
  }
}

/** A tool's lines in the boot report, without remedies and missing descriptions. */
function warningsOf(report: string, name: string, place = 'ItemsController'): readonly string[] {
  const [, told = ''] = report.split(`\n  ${name} (${place}.${name})\n`);
  return [...(told.split(/\n {2}\S/)[0] ?? '').matchAll(/^ {4}- (.*?)(: [^"]|\. |$)/gm)].flatMap(
    ([, warning = '']) => (warning.startsWith('No description') ? [] : warning),
  );
}

describe('arguments that arrive as text', () => {
  const opened: RouteToolApplication[] = [];
  let report: string;
  beforeEach(() => {
    report = '';
    jest.spyOn(Logger.prototype, 'warn').mockImplementation((text) => void (report += text));
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await Promise.all(opened.splice(0).map((one) => one.close()));
  });
  const start = async (
    pipe?: ValidationPipe,
    parser = 'simple',
    controller: new () => object = ItemsController,
  ) => {
    const tools = await RouteToolApplication.start({
      controllers: [controller],
      configure: (app) => {
        if (pipe) app.useGlobalPipes(pipe);
        (app as NestExpressApplication).set('query parser', parser);
      },
    });
    opened.push(tools);
    return tools;
  };
  const startChoices = () =>
    start(new ValidationPipe({ transform: true }), 'simple', ChoicesController);
  const refusal = async (tools: RouteToolApplication, name: string, input: JsonObject) =>
    (await tools.call(name, input)).error?.message;

  it('are reported where the rules of a class refuse them, as they do', async () => {
    const tools = await start(new ValidationPipe({ transform: true }));
    expect(warningsOf(report, 'plain')).toEqual([
      'Calls that give "page", "sizes" are refused',
      'Calls that give "sold" are refused',
      'Calls that give one value for "tags" are refused',
      `The application's query parser makes no objects, so they arrive as JSON text: "made"`,
    ]);
    expect(warningsOf(report, 'shelf')).toEqual(['Calls that give "shelf" are refused']);
    expect(await refusal(tools, 'plain', { page: 2 })).toContain('page must be an integer');
    expect(await refusal(tools, 'plain', { sizes: [2, 3] })).toContain('sizes must be a number');
    expect(await refusal(tools, 'plain', { sold: true })).toContain('sold must be a boolean');
    expect(await refusal(tools, 'plain', { tags: ['a'] })).toContain('tags must be an array');
    expect(await refusal(tools, 'plain', { made: { from: 'a' } })).toContain(
      'nested property made',
    );
    expect(await refusal(tools, 'shelf', { shelf: 3 })).toContain('shelf must be an integer');
    expect(await tools.result('plain', { tags: ['a', 'b'], name: 'c' })).toEqual({
      ...{ tags: ['a', 'b'], name: 'c' },
    });
  });

  it('are reported where they have to be one of some numbers or booleans', async () => {
    const tools = await startChoices();
    expect(warningsOf(report, 'chosen', 'ChoicesController')).toEqual([
      'Calls that give "level", "stars" are refused',
      'Calls that give "sold" are refused',
    ]);
    expect(await refusal(tools, 'chosen', { level: 1 })).toContain('level must be one of');
    expect(await refusal(tools, 'chosen', { stars: [1, 2] })).toContain('in stars must be one of');
    expect(await refusal(tools, 'chosen', { sold: true })).toContain('sold must be one of');
    const input = { page: 'all', least: 1 };
    expect(await tools.result('chosen', input)).toEqual(input);
  });

  it('are reported where they have to be dates, which a body has as text, too', async () => {
    const tools = await startChoices();
    const refused = 'Calls that give "since" are refused';
    expect(warningsOf(report, 'saved', 'ChoicesController')).toEqual([refused]);
    expect(warningsOf(report, 'dated', 'ChoicesController').toSorted()).toEqual([
      'Calls that give "page" are refused',
      refused,
    ]);
    expect(report).toContain(
      'a date arrives as text, and no pipe converts it. Convert it with @Type(() => Date).',
    );
    const day = '2026-01-02T00:00:00.000Z';
    for (const name of ['saved', 'dated'])
      expect(await refusal(tools, name, { since: day })).toContain('since must be a Date instance');
    expect(await tools.result('saved', { until: day, page: 2 })).toEqual({ until: day, page: 2 });
    expect(await tools.result('dated', { until: day })).toEqual({ until: day });
  });

  it('cause no warning where they are converted, but for a false that becomes true', async () => {
    const tools = await start(new ValidationPipe({ transform: true }));
    expect(warningsOf(report, 'converted')).toEqual([
      'A false of "sold" arrives as true, because the text "false" is converted by Boolean()',
    ]);
    const input = { page: 2, sold: false, tags: ['a'], made: '{"from":"a"}', limit: 3 };
    expect(await tools.result('converted', input)).toMatchObject({ page: 2, sold: true });
  });

  it('are converted by their types, and a boolean by the remedy, with enableImplicitConversion', async () => {
    const transformOptions = { enableImplicitConversion: true };
    const tools = await start(new ValidationPipe({ transform: true, transformOptions }));
    expect(warningsOf(report, 'plain').slice(0, 2)).toEqual([
      'Calls that give "sizes" are refused',
      'A false of "sold" arrives as true, because the text "false" is converted by Boolean()',
    ]);
    expect(warningsOf(report, 'shelf')).toEqual([]);
    expect(warningsOf(report, 'again')).toEqual(warningsOf(report, 'plain'));
    expect(warningsOf(report, 'remedied')).toEqual([]);
    expect(await tools.result('plain', { page: 2, sold: false })).toEqual({ page: 2, sold: true });
    expect(await tools.result('remedied', { sold: false })).toEqual({ sold: false });
    expect(await tools.result('shelf', { shelf: 3 })).toEqual({ shelf: 3 });
    expect(await tools.result('again', { page: 2 })).toEqual({ page: 2 });
  });

  it('are objects and lists of one where the parser reads brackets', async () => {
    const tools = await start(new ValidationPipe({ transform: true }), 'extended');
    expect(warningsOf(report, 'plain')).toEqual([
      'Calls that give "page", "sizes" are refused',
      'Calls that give "sold" are refused',
    ]);
    const input = { tags: ['a'], made: { from: 'b' } };
    expect(await tools.result('plain', input)).toEqual(input);
  });

  it('are reported where a schema of zod refuses or misreads them, as it does', async () => {
    const tools = await start();
    const misread =
      'A false of "fresh" arrives as true, because the text "false" is converted by Boolean()';
    expect(warningsOf(report, 'typed')).toEqual([
      'Calls that give "page" are refused',
      'Calls that give "sold" are refused',
      misread,
      'Calls that give one value for "tags" are refused',
      `The application's query parser makes no objects, so they arrive as JSON text: "made"`,
    ]);
    expect(report).toContain('and no pipe converts it. Read it with z.stringbool().');
    const wrong: JsonObject[] = [
      { page: 2 },
      { sold: true },
      { tags: ['a'] },
      { made: { from: 'a' } },
    ];
    for (const input of wrong)
      expect(await refusal(tools, 'typed', input)).toContain('Validation failed');
    const input = { size: 2, fresh: false, cheap: 'false', colours: ['a'] };
    expect(await tools.result('typed', input)).toEqual({ ...input, fresh: true, cheap: false });

    report = '';
    const nested = await start(undefined, 'extended');
    expect(warningsOf(report, 'typed')).toEqual([
      'Calls that give "page" are refused',
      'Calls that give "sold" are refused',
      misread,
    ]);
    const brackets = { fresh: true, tags: ['a'], made: { from: 'a' } };
    expect(await nested.result('typed', brackets)).toEqual(brackets);
  });

  it('are left to a zod DTO whose properties swagger cannot describe, beside a ValidationPipe', async () => {
    const tools = await start(new ValidationPipe({ transform: true }));
    expect(warningsOf(report, 'since')).toEqual([]);
    expect(tools.definition('since').output_schema).toMatchObject({
      properties: { since: { type: 'string', format: 'date-time' } },
    });
    expect(await tools.result('since', { since: '2026-01-02' })).toEqual({
      since: '2026-01-02T00:00:00.000Z',
    });
  });

  it('cause no warning where no pipe, or one of the application itself, checks them', async () => {
    const tools = await start();
    expect(warningsOf(report, 'shelf')).toEqual([]);
    expect(warningsOf(report, 'own')).toEqual([]);
    expect(warningsOf(report, 'before')).toEqual([]);
    expect(await tools.result('before', { page: 2 })).toEqual({ page: 2 });
    expect(warningsOf(report, 'made')).toEqual([expect.stringMatching(/JSON text: "made"$/)]);
    expect(await tools.result('made', { made: { from: 'a' }, parsed: { from: 'b' } })).toEqual({
      ...{ made: '{"from":"a"}', parsed: { from: 'b' } },
    });
  });
});
