import { ParseArrayPipe, ParseEnumPipe, ParseIntPipe, type PipeTransform } from '@nestjs/common';
import { IsString } from 'class-validator';
import * as z from 'zod';
import type { JsonValue } from '../../../message';
import type { JsonSchema } from '../../../tool';
import { type PluginParameter, SchemaValidator } from '../../../schema';
import type { ParameterDocumentation } from './route-documentation';
import type { RouteParameter } from './route-parameter';
import { describeParameter } from './route-parameter-schema';

/** A pipe of an application, as NestJS's guide to pipes has it. */
class ZodValidationPipe implements PipeTransform {
  constructor(private readonly schema: z.ZodType) {}

  transform(value: unknown): unknown {
    return this.schema.parse(value);
  }
}

const Cat = z.object({ name: z.string(), age: z.number().optional() });

const CAT_FIELDS = {
  type: 'object',
  properties: { name: { type: 'string' }, age: { type: 'number' } },
  required: ['name'],
  additionalProperties: false,
};

function described(
  place: RouteParameter['place'],
  schema: z.ZodType,
  { type = Object, plugin }: { type?: unknown; plugin?: PluginParameter['type'] } = {},
) {
  const pipes = [new ZodValidationPipe(schema)];
  const parameter: RouteParameter = { place, index: 0, pipes, type };
  return describeParameter(parameter, {
    ...{ fallsBack: true, hasNestedQuery: false },
    ...(plugin && { described: { name: 'value', type: plugin } }),
  }).schema;
}

describe('a parameter of an interface, with a pipe that has a schema', () => {
  it.each(['body', 'query'] as const)('has the fields of the schema, as a whole %s', (place) => {
    expect(described(place, Cat)).toEqual(CAT_FIELDS);
  });

  it('has the branches of a union, as a whole body', () => {
    const { anyOf, ...rest } = described('body', z.union([Cat, z.object({ id: z.string() })]));
    expect(anyOf).toHaveLength(2);
    expect(rest).toEqual({});
  });

  it.each(['body', 'query'] as const)(
    'has what the schema takes and not its results, with the words of the plugin, as a whole %s',
    (place) => {
      const schema = z.object({
        page: z.coerce.number().default(1),
        ids: z.string().transform((text) => text.split(',')),
      });
      const type = {
        type: 'object',
        properties: {
          page: { type: 'number' },
          ids: { type: 'array', items: { type: 'string' }, description: 'Numbers of authors.' },
        },
        required: ['page', 'ids'],
      };
      expect(described(place, schema, { plugin: type })).toMatchObject({
        properties: {
          page: { default: 1 },
          ids: { type: 'string', description: 'Numbers of authors.' },
        },
        required: ['ids'],
      });
      expect(described(place, z.union([schema, Cat]), { plugin: type })).not.toHaveProperty(
        'properties',
      );
    },
  );

  it('stays an open object where the schema says nothing', () => {
    expect(described('body', z.any())).toEqual({ type: 'object', additionalProperties: true });
  });
});

describe('a whole body that may be missing', () => {
  class CatDto {
    @IsString() name!: string;
  }
  const type = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
  const isRequired = (more: Partial<RouteParameter>, documented?: boolean) =>
    describeParameter(
      { place: 'body', index: 0, pipes: [], type: Object, ...more },
      {
        ...{ fallsBack: true, hasNestedQuery: false },
        described: { name: 'cat', optional: true, type },
        ...(documented !== undefined && {
          documentation: { place: 'body' as const, required: documented },
        }),
      },
    ).required;

  it('is required only where a class has fields that a ValidationPipe would miss', () => {
    expect(isRequired({})).toBe(false);
    expect(isRequired({ schema: Cat.optional() })).toBe(false);
    expect(isRequired({ schema: Cat.optional(), type: CatDto })).toBe(false);
    expect(isRequired({ pipes: [new ZodValidationPipe(Cat.optional())] })).toBe(false);
    expect(isRequired({ type: CatDto })).toBe(true);
    expect(isRequired({ type: class PlainCat {} })).toBe(false);
  });

  it('is required as its documentation says', () => {
    expect(isRequired({ type: CatDto }, false)).toBe(false);
    expect(isRequired({ type: CatDto }, true)).toBe(true);
    expect(isRequired({}, true)).toBe(true);
  });
});

describe('the default of a method', () => {
  const shown = (value: JsonValue, more: Partial<RouteParameter>) =>
    describeParameter(
      { place: 'body', key: 'value', index: 0, pipes: [], type: Object, ...more },
      {
        ...{ fallsBack: true, hasNestedQuery: false },
        described: { name: 'value', optional: true, default: value },
      },
    ).schema.default;

  it('is shown unless the schema or a pipe refuses it', () => {
    const pipes = [new ParseIntPipe({ optional: true })];
    expect([shown(1, { pipes }), shown(1.5, { pipes })]).toEqual([1, undefined]);
    const colours = [new ParseEnumPipe(['red', 'blue'], { optional: true })];
    const query = { place: 'query', pipes: colours } as const;
    expect([shown('red', query), shown('green', query)]).toEqual(['red', undefined]);
    expect(shown('1.5', { place: 'query', pipes })).toBeUndefined();
    expect(shown(1.5, {})).toBe(1.5);
  });
});

describe('a parameter of a class, with a pipe that has a schema', () => {
  class PlainCat {
    name = 'Tom';
  }
  class DecoratedCat {
    @IsString() name!: string;
  }

  it('has the fields of the schema where the class has no decorators', () => {
    expect(described('body', Cat, { type: PlainCat })).toEqual(CAT_FIELDS);
    expect(described('body', z.any(), { type: PlainCat })).toMatchObject({ title: 'PlainCat' });
  });

  it('has the fields of the class where it has decorators', () => {
    expect(described('body', Cat, { type: DecoratedCat })).toMatchObject({
      title: 'DecoratedCat',
      required: ['name'],
    });
  });
});

it('has the separator of its pipe, which splits the text, whatever its documentation says', () => {
  const pipes = [new ParseArrayPipe({ separator: ';' })];
  const parameter: RouteParameter = { place: 'query', key: 'tags', index: 0, pipes, type: Array };
  const documentation: ParameterDocumentation = { place: 'query', name: 'tags', joinedBy: ',' };
  const sources = { fallsBack: true, hasNestedQuery: false, documentation };
  expect(describeParameter(parameter, sources)).toMatchObject({ separator: ';', isJoined: true });
});

describe('a parameter of a query of which the compiler recorded nothing', () => {
  const parameter: RouteParameter = { place: 'query', key: 'x', index: 0, pipes: [], type: Object };
  const sources = { fallsBack: false, hasNestedQuery: false };

  it('is a text or a list of texts, and an object where the query can carry one', () => {
    const validate = (hasNestedQuery: boolean, value: JsonValue) => {
      const { schema } = describeParameter(parameter, { ...sources, hasNestedQuery });
      return new SchemaValidator(schema).check(value).length === 0;
    };
    for (const value of ['a', ['a', 'b']])
      for (const hasNestedQuery of [true, false])
        expect(validate(hasNestedQuery, value)).toBe(true);
    expect([validate(true, { a: 'b' }), validate(false, { a: 'b' })]).toEqual([true, false]);
    expect(validate(false, [['a']])).toBe(false);
    // Numbers and null would change on their way.
    for (const member of [1, null]) expect(validate(true, [member])).toBe(false);
  });

  it('is what the compiler plugin knows of it, of which null is left out by a query', () => {
    const type = {
      anyOf: [
        { type: 'string', enum: ['a', 'b'] },
        { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
        { type: 'null' },
      ],
    };
    const described = { name: 'x', optional: true, type };
    expect(describeParameter(parameter, { ...sources, described }).schema).toEqual(type);
  });

  it('is a text that may be missing, if the compiler plugin writes null beside it', () => {
    const type = { type: ['string', 'null'] } as const;
    const described = { name: 'x', optional: false, type };
    expect(describeParameter(parameter, { ...sources, described }).schema).toEqual(type);
  });

  it('is text elsewhere', () => {
    const header: RouteParameter = { ...parameter, place: 'header' };
    expect(describeParameter(header, sources).schema).toEqual({ type: 'string' });
  });
});

describe('a parameter with documentation', () => {
  const anyOf = [{ type: 'integer' }, { type: 'array', items: { type: 'integer' } }];
  const described = (parameter: Partial<RouteParameter>, schema: JsonSchema) =>
    describeParameter(
      { place: 'body', index: 0, pipes: [], type: Object, ...parameter },
      { ...{ fallsBack: true, hasNestedQuery: false }, documentation: { place: 'body', schema } },
    ).schema;

  it('is one of several schemas where the recorded type says less', () => {
    expect(described({}, { anyOf })).toEqual({ anyOf });
    expect(described({ place: 'query', key: 'x', type: String }, { anyOf })).toEqual({ anyOf });
  });

  it('has the documented fields where its class has no decorators', () => {
    class Plain {
      name!: string;
    }
    class Decorated {
      @IsString() name!: string;
    }
    const schema = { type: 'object', properties: { age: { type: 'number' } } };
    expect(described({ type: Plain }, schema)).toEqual(schema);
    expect(described({ type: Decorated }, schema)).toMatchObject({ title: 'Decorated' });
    expect(described({ type: Plain }, {})).toMatchObject({ title: 'Plain' });
  });

  it('is an open object where nothing is known of several schemas', () => {
    expect(described({}, { anyOf: [{}, {}] })).toMatchObject({ additionalProperties: true });
  });
});

describe('a parameter whose pipe makes an object of a text', () => {
  class Account {
    @IsString() owner!: string;
  }
  const of = (place: 'path' | 'query' | 'header', schema?: JsonSchema, key?: string) =>
    describeParameter(
      { place, key, index: 0, pipes: [], type: Account },
      {
        ...{ fallsBack: true, hasNestedQuery: false },
        ...(schema && { documentation: { place, name: 'account', schema } }),
      },
    ).schema;

  it('is a text in a path', () => {
    expect(of('path', undefined, 'account')).toEqual({ type: 'string' });
    expect(of('path', { default: 'main' }, 'account')).toEqual({ type: 'string', default: 'main' });
    expect(of('path', { type: 'integer' }, 'account')).toEqual({ type: 'integer' });
  });

  it('has the fields of its class in a whole path, and where it is sent as JSON', () => {
    const fields = { title: 'Account', required: ['owner'] };
    expect(of('path')).toMatchObject(fields);
    for (const place of ['query', 'header'] as const)
      expect(of(place, undefined, 'account')).toMatchObject(fields);
  });
});

describe('a Standard Schema of the decorator whose library offers no JSON Schema', () => {
  const bare = {
    '~standard': { version: 1, vendor: 'mine', validate: (value: unknown) => ({ value }) },
  } as const;

  function describedBare(parameter: Partial<RouteParameter>, documented?: JsonSchema) {
    const whole: RouteParameter = {
      place: 'query',
      index: 0,
      pipes: [],
      schema: bare,
      ...parameter,
    };
    return describeParameter(whole, {
      ...{ fallsBack: true, hasNestedQuery: false },
      ...(documented && {
        documentation: { place: 'query' as const, schema: documented, required: true },
      }),
    });
  }

  it('is known to Nest alone, as one of a pipe is: the value is described by its type', () => {
    expect(describedBare({ key: 'page', type: Number })).toEqual({
      schema: { type: 'number' },
      required: false,
    });
    expect(describedBare({ place: 'body', type: Object })).toEqual({
      schema: { type: 'object', additionalProperties: true },
      required: false,
    });
  });

  it('leaves what is required to the documentation', () => {
    expect(describedBare({ key: 'page', type: String }, { type: 'integer' })).toEqual({
      schema: { type: 'integer' },
      required: true,
    });
  });
});
