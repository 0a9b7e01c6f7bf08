import {
  ApiBody,
  ApiConsumes,
  ApiExtraModels,
  ApiHeader,
  ApiParam,
  ApiQuery,
  getSchemaPath,
} from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsString, ValidateNested } from 'class-validator';
import { SchemaValidator } from '../../../schema';
import { consumesOnlyForms, documentedParametersOf } from './route-documentation';

class Node {
  @IsString()
  label!: string;

  @ValidateNested({ each: true })
  @Type(() => Node)
  children: Node[] = [];
}

@ApiHeader({ name: 'x-tenant', description: 'Tenant', required: true })
@ApiConsumes('application/json')
class NodesController {
  @ApiParam({ name: 'id', type: Number, example: 7 })
  @ApiQuery({ name: 'sort', enum: ['up', 'down'], required: false })
  @ApiQuery({ name: 'list', type: [Node] })
  @ApiQuery({ name: 'lazy', type: () => Node, isArray: true })
  @ApiQuery({ name: 'other', type: 'unknown' })
  @ApiQuery({ name: 'page', type: 'integer', schema: { default: 1 } })
  @ApiQuery({ name: 'comma', type: [String], explode: false })
  @ApiQuery({ name: 'simple', type: [String], style: 'simple' })
  @ApiQuery({ name: 'piped', type: [String], style: 'pipeDelimited' })
  @ApiBody({ type: Node })
  find(): void {
    return;
  }

  @ApiBody({ description: 'What to change' })
  change(): void {
    return;
  }

  @ApiBody({ type: [String] })
  replace(): void {
    return;
  }

  @ApiExtraModels(Node)
  @ApiBody({
    schema: {
      type: 'object',
      properties: {
        root: { $ref: getSchemaPath(Node) },
        others: { type: 'array', items: { $ref: getSchemaPath(Node) } },
        links: { $ref: '#/components/schemas/Elsewhere/properties/Links' },
      },
      required: ['root'],
    },
  })
  graft(): void {
    return;
  }

  @ApiExtraModels(Node)
  @ApiBody({
    schema: {
      allOf: [
        { $ref: getSchemaPath(Node) },
        { type: 'object', properties: { at: { type: 'integer' } } },
      ],
    },
  })
  mix(): void {
    return;
  }

  @ApiBody({
    schema: {
      type: 'object',
      properties: {
        note: { type: 'string', nullable: true },
        size: { type: 'number', minimum: 0, exclusiveMinimum: true },
      },
    },
  })
  measure(): void {
    return;
  }

  @ApiExtraModels(Node)
  @ApiBody({ schema: { $ref: getSchemaPath(Node) } })
  plant(): void {
    return;
  }

  @ApiBody({ schema: { $ref: '#/components/schemas/Elsewhere' } })
  send(): void {
    return;
  }

  @ApiBody({ schema: { $ref: 'elsewhere.json#/Node' } })
  post(): void {
    return;
  }

  @ApiBody({
    schema: {
      type: 'object',
      properties: {
        size: { type: 'number', required: true, pattern: '(', default: 1 } as object,
        file: { type: 'file' },
        way: { type: 'string', enum: ['up', 'down'], default: 'left' },
        from: { $ref: 'elsewhere.json#/Node' },
        to: { $ref: '#/definitions/end' },
        role: { type: 'string', not: { enum: ['admin'] } },
        odd: { $ref: '#/definitions/%zz' },
      },
      definitions: { end: { type: 'string' } },
    } as object,
  })
  convert(): void {
    return;
  }

  @ApiExtraModels(Node)
  @ApiBody({
    schema: {
      type: 'array',
      items: {
        oneOf: [
          { $ref: getSchemaPath(Node) },
          { type: 'object', not: { $ref: getSchemaPath('Unknown') } },
          { $ref: getSchemaPath('Unknown') },
        ],
      },
    },
  })
  choose(): void {
    return;
  }

  @ApiQuery({ name: 'long', type: String, example: 'x'.repeat(1_500) })
  @ApiQuery({ name: 'none', type: String, example: null })
  @ApiQuery({ name: 'bare', example: 'x'.repeat(1_500) })
  @ApiQuery({ name: 'inner', schema: { type: 'string', example: 'x'.repeat(1_500) } })
  @ApiBody({
    schema: {
      type: 'object',
      examples: [null, { name: 'a.txt' }],
      properties: {
        name: { type: 'string', example: 'a.txt' },
        file: { type: 'string', example: 'x'.repeat(1_500) },
        parts: { type: 'array', items: { type: 'string', examples: ['x'.repeat(1_500), 'a'] } },
        kind: { type: 'string', not: { enum: ['exe'], example: null } },
      },
    },
  })
  attach(): void {
    return;
  }

  @ApiConsumes('multipart/form-data')
  upload(): void {
    return;
  }
}

describe('documentedParametersOf', () => {
  const documented = documentedParametersOf(NodesController, 'find');
  const named = (name?: string) => documented.find((one) => one.name === name);

  it('tells place, name and what is said of a parameter', () => {
    expect(named('x-tenant')).toMatchObject({
      place: 'header',
      description: 'Tenant',
      required: true,
    });
    expect(named('id')).toMatchObject({ place: 'path', schema: { type: 'number', examples: [7] } });
    expect(named('sort')).toMatchObject({
      place: 'query',
      required: false,
      schema: { type: 'string', enum: ['up', 'down'] },
    });
    expect(named(undefined)).toMatchObject({ place: 'body', schema: { title: 'Node' } });
    expect(named('other')?.schema).toEqual({});
    expect(named('page')?.schema).toEqual({ type: 'integer', default: 1 });
  });

  it('makes schemas of lists of classes that refer to themselves, named at once or lazily', () => {
    for (const name of ['list', 'lazy']) {
      const validator = new SchemaValidator(named(name)?.schema ?? {});
      expect(validator.check([{ label: 'a', children: [{ label: 'b' }] }])).toEqual([]);
      expect(validator.check([{ label: 'a', children: [{}] }])).toHaveLength(1);
      expect(validator.check({ label: 'a' })).toHaveLength(1);
    }
  });

  it('knows lists of a query that are one text', () => {
    const separators = ['comma', 'simple', 'piped', 'list'].map((name) => named(name)?.joinedBy);
    expect(separators).toEqual([',', ',', '|', undefined]);
  });

  it('takes the type that swagger gives to every body without one for none', () => {
    expect(documentedParametersOf(NodesController, 'change')).toContainEqual({
      place: 'body',
      required: true,
      description: 'What to change',
    });
    expect(documentedParametersOf(NodesController, 'replace')).toContainEqual({
      place: 'body',
      required: true,
      schema: { type: 'array', items: { type: 'string' } },
    });
  });

  it('takes references to the OpenAPI document for classes, or for anything if nothing is known of them', () => {
    const body = documentedParametersOf(NodesController, 'graft').at(-1);
    const validator = new SchemaValidator(body?.schema ?? {});
    const node = { label: 'a', children: [] };
    expect(validator.check({ root: node, others: [node], links: ['any'] })).toEqual([]);
    expect(validator.check({ root: {}, others: [{}] })).toHaveLength(2);
  });

  it('reads the keywords of OpenAPI 3.0', () => {
    const body = documentedParametersOf(NodesController, 'measure').at(-1);
    const validator = new SchemaValidator(body?.schema ?? {});
    expect(validator.check({ note: null, size: 1 })).toEqual([]);
    expect(validator.check({ size: 0 })).toHaveLength(1);
  });

  it('takes a schema that is nothing but a reference for its class', () => {
    const body = documentedParametersOf(NodesController, 'plant').at(-1);
    const validator = new SchemaValidator(body?.schema ?? {});
    expect(validator.check({ label: 'a', children: [] })).toEqual([]);
    expect(validator.check({})).toHaveLength(1);
    for (const name of ['send', 'post']) {
      const unknown = documentedParametersOf(NodesController, name).at(-1);
      expect(unknown).toEqual({ place: 'body', required: true });
    }
  });

  it('leaves out what no schema can say, and what other documents may say', () => {
    const body = documentedParametersOf(NodesController, 'convert').at(-1);
    const validator = new SchemaValidator(body?.schema ?? {});
    const sent = { size: 1, file: 'any', from: 2, to: 'b', role: 'user', odd: 7 };
    expect(validator.check(sent)).toEqual([]);
    expect(validator.check({ role: 'admin' })).toHaveLength(1);
    expect(validator.check({ size: 'a', to: 3 })).toHaveLength(2);
    expect(body?.schema?.properties?.size).toEqual({ type: 'number', default: 1 });
    expect(body?.schema?.properties?.way).not.toHaveProperty('default');
  });

  it('takes one of several models for any of them, which may share values or be unknown', () => {
    const body = documentedParametersOf(NodesController, 'choose').at(-1);
    const validator = new SchemaValidator(body?.schema ?? {});
    const node = { label: 'a', children: [] };
    expect(validator.check([node, { label: 1 }])).toEqual([]);
    expect(validator.check([{ size: 1 }])).toHaveLength(0);
    expect(validator.check(node)).toHaveLength(1);
  });

  it('leaves out examples that tell nothing', () => {
    const parameters = documentedParametersOf(NodesController, 'attach');
    const schemas = new Map(parameters.map(({ name, schema }) => [name, schema]));
    for (const name of ['long', 'none', 'inner'])
      expect(schemas.get(name)).toEqual({ type: 'string' });
    expect(schemas.get('bare')).toBeUndefined();
    expect(schemas.get(undefined)).toEqual({
      type: 'object',
      examples: [{ name: 'a.txt' }],
      properties: {
        name: { type: 'string', examples: ['a.txt'] },
        file: { type: 'string' },
        parts: { type: 'array', items: { type: 'string', examples: ['a'] } },
        kind: { type: 'string', not: { enum: ['exe'] } },
      },
    });
  });

  it('leaves an object open that is a class of the OpenAPI document and more', () => {
    const body = documentedParametersOf(NodesController, 'mix').at(-1);
    const validator = new SchemaValidator(body?.schema ?? {});
    expect(validator.check({ label: 'a', at: 1 })).toEqual([]);
  });

  it('knows methods that take nothing but forms', () => {
    expect(consumesOnlyForms(NodesController, 'find')).toBe(false);
    expect(consumesOnlyForms(NodesController, 'upload')).toBe(true);
    expect(documentedParametersOf(NodesController, 'missing')).toHaveLength(1);
  });
});
