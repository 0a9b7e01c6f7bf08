import 'reflect-metadata';
import {
  createParamDecorator,
  DefaultValuePipe,
  ParseArrayPipe,
  ParseBoolPipe,
  ParseEnumPipe,
  ParseIntPipe,
  ParseUUIDPipe,
} from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { z } from 'zod';
import { SchemaValidator } from '../schema';
import {
  describeMethodInput,
  descriptionOf,
  type HiddenParameter,
  Tool,
  Toolkit,
  toolkitMetadataOf,
  toolMetadataOf,
  toolMethodsOf,
  ToolParam,
} from './index';
import { parameterNamesOf } from './parameter-names';

class ItemDto {
  @IsString()
  name!: string;
}
class Clock {}
const CurrentUser = createParamDecorator(() => 'alice');
enum Size {
  Small = 's',
  Large = 'l',
}

@Toolkit({ description: 'Base', prefix: 'base_' })
class BaseTools {
  @Tool({ description: 'One' })
  one(): number {
    return 1;
  }

  @Tool({ description: 'Two' })
  two(@ToolParam('a') a: number): number {
    return a;
  }

  get boom(): number {
    throw new Error('a getter must not be evaluated');
  }
}

class Tools extends BaseTools {
  override two(a: number): number {
    return a + 1;
  }

  @Tool({ description: 'Three' })
  three(
    @ToolParam('a', { description: 'First', example: 2 }) a: number,
    @ToolParam() b: string,
    @ToolParam({ default: 5 }) c: number,
    clock: Clock,
    @ToolParam('item') item: ItemDto,
    @ToolParam('items', { type: ItemDto }) items: ItemDto[],
    @ToolParam('size', { enum: Size, required: false }) size?: Size,
  ): unknown {
    return [a, b, c, clock, item, items, size];
  }

  @Tool()
  @ApiOperation({ summary: 'Piped', description: 'With pipes' })
  piped(
    @ToolParam('id', ParseIntPipe) id: number,
    @ToolParam('page', { description: 'Page' }, new DefaultValuePipe(1), ParseIntPipe) page: number,
    @ToolParam('deep', new ParseBoolPipe({ optional: true })) deep: boolean,
    @ToolParam('size', new ParseEnumPipe(Size)) size: Size,
    @ToolParam('ids', new ParseArrayPipe({ items: Number })) ids: number[],
    @ToolParam('key', new ParseUUIDPipe({ version: '4' })) key: string,
  ): unknown {
    return [id, page, deep, size, ids, key];
  }

  @Tool({ description: 'Whole', input: ItemDto })
  whole(clock: Clock, item: ItemDto): unknown {
    return [clock, item];
  }

  @Tool({ description: 'Undecorated' })
  undecorated(item: ItemDto): unknown {
    return item;
  }

  @Tool({ description: 'Of routes' })
  ofRoutes(@CurrentUser() user: string): unknown {
    return user;
  }

  @Tool({ description: 'Destructured' })
  destructured(@ToolParam() { name }: ItemDto): unknown {
    return name;
  }

  @Tool({ description: 'Unknown type' })
  untyped(@ToolParam('list') list: string[]): unknown {
    return list;
  }
}

const isHidden = ({ type }: HiddenParameter): boolean => type === Clock;
const inputOf = (name: string) =>
  describeMethodInput(Tools, name, { tool: toolMetadataOf(Tools, name) ?? {}, isHidden });

describe('the tools of a class', () => {
  it('are its own and inherited ones, without undecorated overrides, getters untouched', () => {
    expect([...toolMethodsOf(Tools)].sort()).toEqual([
      'destructured',
      'ofRoutes',
      'one',
      'piped',
      'three',
      'undecorated',
      'untyped',
      'whole',
    ]);
    expect(toolMethodsOf(BaseTools)).toEqual(['one', 'two']);
    expect(toolMetadataOf(Tools, 'two')).toBeUndefined();
    expect(toolMetadataOf(Tools, 'boom')).toBeUndefined();
    expect(toolkitMetadataOf(Tools)).toEqual({ description: 'Base', prefix: 'base_' });
  });

  it('are described by @Tool, else by @ApiOperation', () => {
    expect(descriptionOf(Tools, 'three', { description: ' Three ' })).toBe('Three');
    expect(descriptionOf(Tools, 'piped', {})).toBe('Piped. With pipes');
    expect(descriptionOf(Tools, 'one', {})).toBeUndefined();
  });

  it('are methods and nothing else', () => {
    expect(() => Tool({})(Tools, 'x', {})).toThrow('Tools.x: @Tool() belongs on a method');
    expect(() => Tool({})(Tools.prototype, 'boom', { get: () => 1 })).toThrow('accessor');
    expect(() => Toolkit({ description: ' ' })(Tools)).toThrow(
      'Tools: @Toolkit() wants a description',
    );
  });
});

describe('describeMethodInput', () => {
  it('describes positional parameters, with names from the source', () => {
    const { schema, parameters } = inputOf('three');
    expect(schema).toMatchObject({
      type: 'object',
      properties: {
        a: { type: 'number', description: 'First', examples: [2] },
        b: { type: 'string' },
        c: { type: 'number', default: 5 },
        item: { title: 'ItemDto' },
        items: { type: 'array', items: { title: 'ItemDto' } },
        size: { enum: ['s', 'l'] },
      },
      required: ['a', 'b', 'item', 'items'],
      additionalProperties: false,
    });
    expect(parameters.map(({ index }) => index)).toEqual([0, 1, 2, 4, 5, 6]);
  });

  it('reads the pipes', () => {
    const { schema } = inputOf('piped');
    expect(schema.required).toEqual(['id', 'size', 'ids', 'key']);
    const validator = new SchemaValidator(schema);
    const valid = { id: '5', size: 'l', ids: [1], key: '123e4567-e89b-42d3-a456-426614174000' };
    expect(validator.check(valid)).toEqual([]);
    expect(validator.check({ ...valid, page: 2, deep: 'true' })).toEqual([]);
    for (const wrong of [
      { id: 'x' },
      { size: 'm' },
      { ids: ['x'] },
      { key: 'x' },
      { deep: 'maybe' },
    ])
      expect(validator.check({ ...valid, ...wrong })).not.toEqual([]);
    expect(schema.properties?.page).toMatchObject({ default: 1, description: 'Page' });
  });

  it('hands the whole input to the first parameter that is not hidden', () => {
    expect(inputOf('whole')).toMatchObject({
      schema: { title: 'ItemDto' },
      whole: { index: 1, type: ItemDto },
      parameters: [],
    });
    const input = z.object({ name: z.string() });
    expect(describeMethodInput(Tools, 'whole', { tool: { input }, isHidden })).toMatchObject({
      whole: { type: input },
    });
    expect(() =>
      describeMethodInput(Tools, 'whole', { tool: { input: z.string() }, isHidden }),
    ).toThrow('Tools.whole: the schema of its input must be of type "object"');
    expect(() =>
      describeMethodInput(Tools, 'piped', { tool: { input: ItemDto }, isHidden }),
    ).toThrow('Tools.piped: parameter 2 can receive nothing');
  });

  it('names class, method and parameter where it would have to guess', () => {
    expect(() => inputOf('undecorated')).toThrow(
      /^Tools\.undecorated: nothing fills parameter "item" of type ItemDto.* where the compiler plugin has read the class\.$/,
    );
    expect(() => inputOf('ofRoutes')).toThrow(
      'Tools.ofRoutes: nothing fills parameter "user" of type String. Its own decorator works in routes and resolvers only',
    );
    expect(() => inputOf('destructured')).toThrow(
      'Tools.destructured: parameter 1 has no name in the source',
    );
    expect(() => inputOf('untyped')).toThrow(
      /^Tools\.untyped: the type of parameter "list" is not known .* or \{ enum: … \}\.$/,
    );
  });

  it('names the compiler where it wrote no types of a method', () => {
    class Unwritten {
      @Tool({ description: 'Find' })
      find(@ToolParam('id') id: number): number {
        return id;
      }
    }
    Reflect.deleteMetadata('design:paramtypes', Unwritten.prototype, 'find');
    expect(() =>
      describeMethodInput(Unwritten, 'find', { tool: {}, isHidden: () => false }),
    ).toThrow(
      /^Unwritten\.find: the type of parameter "id" is not known .* The compiler wrote no types of the method\. Set emitDecoratorMetadata/,
    );
  });
});

describe('parameterNamesOf', () => {
  const subject = {
    plain(a: number, b: string) {
      return [a, b];
    },
    async withDefaults(a = 'x,y)', b = { c: [1, ')'] }, c = 1 + 2, ...rest: unknown[]) {
      await Promise.resolve([a, b, c, rest]);
    },
    *generator(/* not (this) */ a: number /* , b */, b = `)${1}`) {
      yield [a, b];
    },
    ['com(puted'](ä: number, $_: number) {
      return [ä, $_];
    },
    destructured({ a }: { a: number }, [b]: number[], c: number) {
      return [a, b, c];
    },
    none() {
      return '(a, b)';
    },
  };

  it.each([
    [subject.plain, ['a', 'b']],
    [subject.withDefaults, ['a', 'b', 'c', 'rest']],
    [subject.generator, ['a', 'b']],
    [subject['com(puted'], ['ä', '$_']],
    [subject.destructured, [undefined, undefined, 'c']],
    [subject.none, []],
  ])('reads %s', (method, names) => {
    expect(parameterNamesOf(method as never)).toEqual(names);
  });

  it('knows nothing of native functions', () => {
    expect(parameterNamesOf(subject.plain.bind(subject) as never) ?? []).toEqual([]);
    expect(parameterNamesOf(Math.max as never) ?? []).toEqual([]);
  });
});
