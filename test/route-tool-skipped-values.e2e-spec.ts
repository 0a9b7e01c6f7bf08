import {
  Body,
  Controller,
  Patch,
  Post,
  Scope,
  UsePipes,
  ValidationPipe,
  type ValidationPipeOptions,
} from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsDefined, IsInt, IsString, ValidateIf, ValidateNested } from 'class-validator';
import { Tool } from 'nestjs-agent';
import type { JsonSchema } from 'nestjs-agent/types';
import { RouteToolApplication } from './route-tools/route-tool-application';

class Place {
  @IsString()
  city!: string;
}

class Order {
  @IsDefined()
  @IsInt()
  id!: number;

  @ApiProperty()
  @IsString()
  note!: string;

  @ValidateNested()
  @Type(() => Place)
  place!: Place;
}

class Remark {
  @ApiProperty({ nullable: true })
  @IsString()
  text!: string | null;

  @ValidateIf((_, value) => value !== 0)
  @IsString()
  author!: string;

  @IsInt()
  stars = '5' as unknown;
}

@Controller('orders')
class OrdersController {
  @Tool({ name: 'change', description: 'Change an order' })
  @Patch()
  change(@Body() order: Order): Order {
    return order;
  }

  @Tool({ name: 'remark', description: 'Remark on an order' })
  @Post('remarks')
  remark(@Body() remark: Remark): Remark {
    return remark;
  }

  @Tool({ name: 'add', description: 'Add an order' })
  @Post()
  @UsePipes(ValidationPipe)
  add(@Body() order: Order): Order {
    return order;
  }
}

describe('missing fields that a ValidationPipe skips', () => {
  let tools: RouteToolApplication;
  const start = async (options: ValidationPipeOptions) => {
    tools = await RouteToolApplication.start({
      controllers: [OrdersController],
      configure: (app) => app.useGlobalPipes(new ValidationPipe(options)),
    });
  };
  afterEach(() => tools.close());
  const required = (name: string) => tools.definition(name).input_schema.required;

  it.each<ValidationPipeOptions>([
    { skipMissingProperties: true },
    { skipUndefinedProperties: true },
  ])('are optional at every depth: %p', async (options) => {
    await start(options);
    expect(required('change')).toEqual(['id']);
    expect(await tools.result('change', { id: 1, place: {} })).toEqual({ id: 1, place: {} });
    expect(await tools.call('change', { place: { city: 1 } })).toMatchObject({
      error: { code: 'invalid_arguments' },
    });
  });

  it.each([
    [{ skipMissingProperties: true }, true],
    [{ skipUndefinedProperties: true, skipNullProperties: true }, true],
    [{ skipUndefinedProperties: true }, false],
  ] as const)('may be null if the pipe skips null: %p', async (options, isNullTaken) => {
    await start(options);
    const { properties = {}, required: names } = tools.definition('remark').input_schema;
    const nullable = Object.keys(properties).filter((name) =>
      [(properties[name] as JsonSchema).type].flat().includes('null'),
    );
    expect(nullable).toEqual(isNullTaken ? ['text', 'author', 'stars'] : []);
    // Its refused initial value stands where it is missing.
    expect(names).toEqual(['stars']);
    expect(await tools.result('remark', { stars: 5, text: null })).toEqual({
      stars: 5,
      ...(isNullTaken && { text: null }),
    });
  });

  it('are required where another pipe checks them', async () => {
    await start({ skipMissingProperties: true });
    expect(required('add')).toEqual(['id', 'note']);
  });

  it('are required where another pipe of the application, one for each request, checks them', async () => {
    tools = await RouteToolApplication.start({
      controllers: [OrdersController],
      providers: [{ provide: APP_PIPE, useClass: ValidationPipe, scope: Scope.REQUEST }],
      configure: (app) => app.useGlobalPipes(new ValidationPipe({ skipMissingProperties: true })),
    });
    expect(required('change')).toEqual(['id', 'note']);
  });

  it('are required without the option', async () => {
    await start({ skipNullProperties: true });
    expect(required('change')).toEqual(['id', 'note']);
  });

  it('are optional if the pipe is a provider', async () => {
    const pipe = new ValidationPipe({ skipMissingProperties: true });
    tools = await RouteToolApplication.start({
      controllers: [OrdersController],
      providers: [{ provide: APP_PIPE, useValue: pipe }],
    });
    expect(await tools.result('change', { id: 1 })).toEqual({ id: 1 });
  });
});
