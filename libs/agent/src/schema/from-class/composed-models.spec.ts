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

@ApiExtraModels(Envelope)
class Category {
  @ApiProperty({ type: String })
  name!: string;

  @ApiProperty({
    required: false,
    allOf: [{ $ref: getSchemaPath('Category') }, { properties: { depth: { type: 'number' } } }],
  })
  parent?: object;
}

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

describe('a composition', () => {
  const check = (body: JsonSchema, models: readonly (new () => object)[], value: unknown) =>
    problems(documentSchemaOf(body, models), value);
  const refTo = (model: new () => object) => ({ $ref: getSchemaPath(model) });

  it('may contain itself', () => {
    @ApiExtraModels(Category)
    class Menu {
      @ApiProperty({ allOf: [refTo(Category), { properties: { open: { type: 'boolean' } } }] })
      first!: object;
    }
    const schema = schemaOf(Menu);
    expect(formProblems(schema, 'input')).toEqual([]);
    expect(problems(schema, { first: { name: 'a', open: true } })).toEqual([]);
    expect(problems(schema, { first: { name: 'a', open: 1 } })).toEqual([
      '/first/open must be boolean',
    ]);
    const document = documentSchemaOf(refTo(Category), [Category]);
    expect(formProblems(document, 'input')).toEqual([]);
    expect(problems(document, { name: 'a' })).toEqual([]);
  });

  it('has the class that a part gives a property, though the model says less of it', () => {
    class Answer {
      @ApiProperty({ type: 'object', additionalProperties: true })
      data!: object;

      @ApiProperty({ type: [Object], description: 'In order' })
      results!: object[];
    }
    const body: JsonSchema = {
      allOf: [refTo(Answer), { properties: { data: refTo(Track), results: listOf(Track) } }],
    };
    const ode = { title: 'Ode' };
    expect(check(body, [Answer, Track], { data: ode, results: [ode] })).toEqual([]);
    expect(check(body, [Answer, Track], { data: {}, results: [{}] })).toEqual([
      '/data/title is required',
      '/results/0/title is required',
    ]);
    expect(documentSchemaOf(body, [Answer, Track]).properties?.['results']).toMatchObject({
      description: 'In order',
    });
  });

  it('stays open if the model is', () => {
    class Undecorated {
      id!: string;
    }
    const body: JsonSchema = {
      allOf: [refTo(Undecorated), { properties: { at: { type: 'number' } } }],
    };
    expect(check(body, [Undecorated], { id: 'a', at: 1 })).toEqual([]);
    expect(check(body, [Undecorated], { at: 'now' })).toEqual(['/at must be number']);
  });

  it.each<[string, object]>([
    ['without parts', { allOf: [] }],
    ['of what is no schema', { allOf: [refTo(Track), 'x', null] }],
    ['with a property that is none', { allOf: [refTo(Track), { properties: { x: null } }] }],
    [
      'beside alternatives',
      {
        allOf: [refTo(Track)],
        oneOf: [
          { properties: { card: { type: 'string' } }, required: ['card'] },
          { properties: { iban: { type: 'string' } }, required: ['iban'] },
        ],
      },
    ],
  ])('refuses nothing for what it cannot say: %s', (_name, composition) => {
    @ApiExtraModels(Track)
    class Dto {
      @ApiProperty(composition)
      value!: object;
    }
    const value = { title: 'Ode', ...('oneOf' in composition && { card: '1' }) };
    expect(problems(schemaOf(Dto), { value })).toEqual([]);
    expect(() => check(composition as JsonSchema, [Track], value)).not.toThrow();
  });
});
