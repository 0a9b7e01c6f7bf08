import {
  Body,
  Controller,
  createParamDecorator,
  type ExecutionContext,
  Get,
  Patch,
  Post,
  type Type,
  ValidationPipe,
} from '@nestjs/common';
import { ApiOperation, ApiParam } from '@nestjs/swagger';
import { Type as TypeOf } from 'class-transformer';
import { IsBoolean, IsNotEmpty, IsOptional, IsString, ValidateNested } from 'class-validator';
import type { Request } from 'express';
import { ToolApplication } from './support/tool-application';

class Place {
  @IsOptional({ groups: ['update'] })
  @IsString({ always: true })
  city!: string;
}

/** An entity that is its own DTO, with rules for each kind of write. */
class Firm {
  @IsOptional({ groups: ['update'] })
  @IsNotEmpty({ groups: ['create'] })
  @IsString({ always: true })
  name!: string;

  @IsOptional({ always: true })
  @ValidateNested({ always: true })
  @TypeOf(() => Place)
  place?: Place;

  @IsOptional({ groups: ['update'] })
  @IsNotEmpty({ always: true })
  @IsBoolean({ always: true })
  active!: boolean;
}

/** The whole request, as a generator's interceptor parses it. */
const Parsed = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<Request>().params,
);

/** Makes the routes of a class when it is decorated. */
function Crud(model: Type<unknown>): ClassDecorator {
  return (target) => {
    const prototype = target.prototype as Record<string, unknown>;
    const make = (
      name: string,
      route: MethodDecorator,
      groups: string[] | undefined,
      ...documentation: MethodDecorator[]
    ) => {
      prototype[name] = (parsed: unknown, body: unknown) => ({ parsed, body });
      const descriptor = Object.getOwnPropertyDescriptor(prototype, name) ?? {};
      Reflect.defineMetadata('design:paramtypes', [Object, model], prototype, name);
      Parsed()(prototype, name, 0);
      if (groups) Body(new ValidationPipe({ groups }))(prototype, name, 1);
      for (const one of [route, ...documentation]) one(prototype, name, descriptor);
    };
    const id = ApiParam({ name: 'id', type: 'integer', description: 'Of the firm' });
    const operation = ApiOperation({ summary: 'Retrieve a firm' });
    make('getOne', Get(':id'), undefined, operation, id);
    make('getMany', Get(), undefined, (_target, _name, descriptor) => {
      // Written by the generator, in the form of OpenAPI 2 that @nestjs/swagger still takes.
      Reflect.defineMetadata(
        'swagger/apiParameters',
        [
          { in: 'query', name: 'filter', type: 'array', items: { type: 'string' } },
          { in: 'query', name: 'limit', type: 'integer', minimum: 1 },
        ],
        descriptor.value as unknown as object,
      );
    });
    make('createOne', Post(), ['create']);
    make('updateOne', Patch(':id'), ['update'], id);
  };
}

/** Its rules are in no group, so a pipe with groups lets everything pass. */
class Free {
  @IsString()
  label!: string;
}

class Shop {
  @IsString({ groups: ['create'] })
  name!: string;

  @ValidateNested({ always: true })
  @TypeOf(() => Free)
  free?: Free;
}

@Crud(Shop)
@Controller('shops')
class ShopsController {}

@Crud(Firm)
@Controller('firms')
class FirmsController {}

describe('a controller whose class decorator makes its routes', () => {
  let tools: ToolApplication;
  beforeAll(async () => {
    tools = await ToolApplication.boot(
      { controllers: [FirmsController, ShopsController] },
      {
        exposed: [
          { controller: FirmsController, routes: 'all' },
          { controller: ShopsController, routes: 'all' },
        ],
      },
    );
  });
  afterAll(() => tools.close());
  const inputOf = (name: string) => tools.tool(name).definition.input_schema;

  it('has the types that are documented for a path and a query that no parameter reads', () => {
    expect(inputOf('firms_get_one').properties).toEqual({
      id: { type: 'integer', description: 'Of the firm' },
    });
    expect(inputOf('firms_get_many').properties).toEqual({
      filter: { type: 'array', items: { type: 'string' } },
      limit: { type: 'integer', minimum: 1 },
    });
  });

  it('requires of a body what the groups of its own ValidationPipe require', () => {
    expect(inputOf('firms_create_one')).toMatchObject({
      required: ['name', 'active'],
      properties: { place: { required: ['city'] } },
    });
    const { required, properties } = inputOf('firms_update_one');
    expect(required).toEqual(['id']);
    expect(properties?.place).not.toHaveProperty('required');
  });

  it('keeps the fields that the groups of its ValidationPipe do not check', async () => {
    const body = { name: 'Ada', free: { label: 'a' } };
    expect(await tools.call('shops_create_one', body)).toMatchObject({ body });
    expect(await tools.call('shops_update_one', { id: 7, ...body })).toMatchObject({ body });
  });

  it('has no bounds of a text at a value of another type', () => {
    expect(inputOf('firms_create_one').properties?.active).toEqual({
      type: 'boolean',
    });
  });

  it('is called with the arguments in their places', async () => {
    const input = { id: 7, name: 'Ada' };
    expect(await tools.call('firms_update_one', input)).toEqual({
      parsed: { id: '7' },
      body: { name: 'Ada' },
    });
  });
});
