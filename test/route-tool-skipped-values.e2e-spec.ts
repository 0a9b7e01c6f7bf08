import {
  Body,
  Controller,
  Patch,
  Post,
  UsePipes,
  ValidationPipe,
  type ValidationPipeOptions,
} from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsDefined, IsInt, IsString, ValidateNested } from 'class-validator';
import { Tool } from 'nestjs-agent';
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

@Controller('orders')
class OrdersController {
  @Tool({ name: 'change', description: 'Change an order' })
  @Patch()
  change(@Body() order: Order): Order {
    return order;
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

  it('are required where another pipe checks them', async () => {
    await start({ skipMissingProperties: true });
    expect(required('add')).toEqual(['id', 'note']);
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
