import 'reflect-metadata';
import {
  ApiBody,
  ApiExtraModels,
  ApiOkResponse,
  ApiProperty,
  getSchemaPath,
} from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsString, ValidateNested } from 'class-validator';
import type { JsonSchema } from '../../tool';
import { apiModelsOf } from '../metadata';
import { describeMethodResult, formProblems, schemaOf, SchemaValidator } from '../index';
import { documentSchemaOf } from './document-schema';

const problems = (schema: JsonSchema | undefined, value: unknown): readonly string[] =>
  new SchemaValidator(schema ?? {}).check(value).map(({ path, message }) => `${path} ${message}`);

class Envelope {
  @ApiProperty({ description: 'In words' })
  message!: string;

  @ApiProperty({ type: Number })
  code!: number;
}

class Track {
  @ApiProperty({ type: String })
  title!: string;
}

class Page {
  @ApiProperty({ type: [Object] })
  results!: unknown[];

  @ApiProperty({ type: Number })
  total!: number;
}

class Shelf {
  @IsString()
  label!: string;

  @ValidateNested({ each: true })
  @Type(() => Shelf)
  shelves: Shelf[] = [];
}

class Position {
  @IsInt()
  row!: number;
}

const listOf = (model: typeof Track) => ({ type: 'array', items: { $ref: getSchemaPath(model) } });

class TracksController {
  @ApiExtraModels(Envelope, Track)
  @ApiOkResponse({
    schema: {
      allOf: [{ $ref: getSchemaPath(Envelope) }],
      properties: { message: { example: 'Found' }, data: { $ref: getSchemaPath(Track) } },
      required: ['data'],
    },
  })
  find(): void {
    return;
  }

  @ApiExtraModels(Page, Track)
  @ApiOkResponse({
    schema: {
      allOf: [{ $ref: getSchemaPath(Page) }, { properties: { results: listOf(Track) } }],
    },
  })
  list(): void {
    return;
  }

  @ApiExtraModels(Envelope, Page)
  @ApiOkResponse({
    schema: { allOf: [{ $ref: getSchemaPath(Envelope) }, { $ref: getSchemaPath(Page) }] },
  })
  both(): void {
    return;
  }
}

describe('an answer that is composed of a model and properties beside it', () => {
  it('has the properties of both', () => {
    const find = describeMethodResult(TracksController, 'find', {});
    expect(find).toMatchObject({ type: 'object', required: ['message', 'code', 'data'] });
    expect(find?.properties?.['message']).toEqual({
      type: 'string',
      description: 'In words',
      examples: ['Found'],
    });
    expect(problems(find, { message: 'Found', code: 1, data: { title: 'Ode' }, more: 1 })).toEqual(
      [],
    );
    expect(problems(find, { message: 1, data: {} })).toEqual([
      '/code is required',
      '/message must be string',
      '/data/title is required',
    ]);
  });

  it('has the properties of both if the second stands in a part of its own', () => {
    const list = describeMethodResult(TracksController, 'list', {});
    expect(problems(list, { results: [{ title: 'Ode' }], total: 1 })).toEqual([]);
    expect(problems(list, { results: [{}] })).toEqual([
      '/total is required',
      '/results/0/title is required',
    ]);
  });

  it('is unknown if several models describe it', () => {
    expect(describeMethodResult(TracksController, 'both', {})).toBeUndefined();
  });
});

describe('a property that is composed of a model and properties beside it', () => {
  it('takes the properties of both, also if the model contains itself', () => {
    @ApiExtraModels(Shelf, Position)
    class Rack {
      @ApiProperty({
        allOf: [{ $ref: getSchemaPath(Shelf) }],
        properties: { at: { allOf: [{ $ref: getSchemaPath(Position) }] } },
      })
      first!: object;

      @ApiProperty({ type: Position })
      last!: Position;
    }
    const schema = schemaOf(Rack);
    expect(formProblems(schema, 'input')).toEqual([]);
    const shelves = [{ label: 'b', shelves: [] }];
    const last = { row: 2 };
    expect(problems(schema, { first: { label: 'a', shelves, at: { row: 1 } }, last })).toEqual([]);
    expect(problems(schema, { first: { shelves: [{}], at: {}, to: 1 }, last })).toEqual([
      '/first/label is required',
      '/first/to is not a known argument',
      '/first/shelves/0/label is required',
      '/first/at/row is required',
    ]);
  });
});

describe('a documented body that is composed of a model and properties beside it', () => {
  const at = { $ref: getSchemaPath(Position) };
  const bodies: Readonly<Record<string, JsonSchema>> = {
    'beside allOf': { allOf: [{ $ref: getSchemaPath(Shelf) }], properties: { at } },
    'in a part of allOf': { allOf: [{ $ref: getSchemaPath(Shelf) }, { properties: { at } }] },
    'beside the reference': { $ref: getSchemaPath(Shelf), properties: { at } },
  };

  it.each(Object.keys(bodies))('takes the properties of both: %s', (name) => {
    class ShelvesController {
      @ApiExtraModels(Shelf, Position)
      @ApiBody({ schema: bodies[name] as object })
      add(): void {
        return;
      }
    }
    const models = apiModelsOf(ShelvesController.prototype.add);
    const schema = documentSchemaOf(bodies[name] ?? {}, models);
    expect(formProblems(schema, 'input')).toEqual([]);
    expect(problems(schema, { label: 'a', shelves: [], at: { row: 1 } })).toEqual([]);
    expect(problems(schema, { label: 'a', at: {}, to: 1 })).toEqual([
      '/to is not a known argument',
      '/at/row is required',
    ]);
  });
});
