import 'reflect-metadata';
import { ApiOkResponse, ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import { z } from 'zod';
import { ToolReturn } from '../../decorators';
import { type JsonSchema, ToolResult } from '../../tool';
import { AddressDto } from '../fixtures/class.cases';
import { describeMethodResult, documentationProblem, SchemaValidator } from '../index';

const problems = (schema: JsonSchema, value: unknown): readonly string[] =>
  new SchemaValidator(schema).check(value).map(({ path, message }) => `${path} ${message}`);

describe('describeMethodResult', () => {
  class Node {
    @ValidateNested({ each: true })
    @Type(() => Node)
    children: Node[] = [];
  }
  class Service {
    @ApiOkResponse({ type: [Node] })
    tree(): unknown {
      return [];
    }
    find(): AddressDto {
      return new AddressDto();
    }
    result(): ToolResult {
      return new ToolResult('x');
    }
    nothing(): void {
      return;
    }
  }
  Reflect.defineMetadata('design:returntype', AddressDto, Service.prototype, 'find');
  Reflect.defineMetadata('design:returntype', ToolResult, Service.prototype, 'result');

  it('reads the documentation of a method once', () => {
    let reads = 0;
    class Counted {
      @ApiProperty({ type: () => ((reads += 1), String) })
      name!: string;
    }
    class Documented {
      @ApiOkResponse({ type: Counted })
      find(): unknown {
        return undefined;
      }
    }
    describeMethodResult(Documented, 'find', {});
    const read = reads;
    expect(documentationProblem(Documented, 'find')).toBeUndefined();
    expect([read > 0, reads]).toEqual([true, read]);
  });

  it('reads output, then @ToolReturn and @ApiResponse, then the return type', () => {
    expect(describeMethodResult(Service, 'find', {})).toMatchObject({ title: 'AddressDto' });
    expect(
      describeMethodResult(Service, 'find', { output: z.object({ a: z.string() }) }),
    ).toMatchObject({ required: ['a'] });
    expect(describeMethodResult(Service, 'find', { output: [AddressDto] })).toMatchObject({
      type: 'array',
      items: { title: 'AddressDto' },
    });
    const tree = describeMethodResult(Service, 'tree', {});
    expect(problems(tree ?? {}, [{ children: [{ children: [] }] }])).toEqual([]);
    expect(problems(tree ?? {}, [{ children: [{ children: 1 }] }])).toHaveLength(1);
    expect(describeMethodResult(Service, 'nothing', {})).toBeUndefined();
    expect(describeMethodResult(Service, 'result', {})).toBeUndefined();
    expect(() => describeMethodResult(Service, 'find', { output: 3 })).toThrow(
      'Service.find: its output:',
    );
  });

  it('leaves documentation out that JSON Schema cannot say, but refuses such an output', () => {
    const source = {
      '~standard': {
        version: 1,
        vendor: 'rocks',
        validate: () => ({ value: 1 }),
        jsonSchema: {
          input: () => ({}),
          output: () => {
            throw new Error('a rock has no JSON');
          },
        },
      },
    };
    class Rock {
      static readonly schema = source;
    }
    class Quarry {
      @ApiOkResponse({ type: Rock })
      documented(): void {
        return;
      }
      @ToolReturn({ type: Rock })
      declared(): void {
        return;
      }
    }
    const reason = 'This rocks schema cannot be said in JSON Schema: a rock has no JSON';
    expect(describeMethodResult(Quarry, 'documented', {})).toBeUndefined();
    expect(documentationProblem(Quarry, 'documented')).toBe(reason);
    expect(documentationProblem(Service, 'find')).toBeUndefined();
    expect(() => describeMethodResult(Quarry, 'documented', { output: Rock })).toThrow(
      `Quarry.documented: its output: ${reason}`,
    );
    expect(() => describeMethodResult(Quarry, 'declared', {})).toThrow('Quarry.declared: its');
  });
});
