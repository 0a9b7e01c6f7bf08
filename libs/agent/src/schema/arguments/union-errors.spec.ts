import { z } from 'zod';
import type { JsonSchema } from '../../tool';
import { schemaOf, SchemaValidator } from '../index';

const problems = (schema: JsonSchema, value: unknown): readonly string[] =>
  new SchemaValidator(schema).check(value).map(({ path, message }) => `${path} ${message}`);

const Leaf = z.object({ kind: z.literal('leaf'), size: z.number() });
const Branch = z.object({
  kind: z.literal('branch'),
  get children() {
    return z.array(z.discriminatedUnion('kind', [Leaf, Branch]));
  },
});
const tree = schemaOf(z.object({ tree: z.discriminatedUnion('kind', [Leaf, Branch]) }));

describe('the errors of a union whose branches have a tag', () => {
  it('are those of the branch that the value means', () => {
    expect(problems(tree, { tree: { kind: 'leaf', size: 'x', more: 1 } })).toEqual([
      '/tree/more is not a known argument',
      '/tree/size must be number',
    ]);
    expect(problems(tree, { tree: { kind: 'branch' } })).toEqual(['/tree/children is required']);
  });

  it('are told further inside too, where the same definitions are met again', () => {
    const children = [
      { kind: 'leaf', size: 1 },
      { kind: 'branch', children: [{ kind: 'leaf' }] },
    ];
    expect(problems(tree, { tree: { kind: 'branch', children } })).toEqual([
      '/tree/children/1/children/0/size is required',
    ]);
  });

  it('are told where the branches share the very object of a part', () => {
    const size: JsonSchema = { type: 'number' };
    const branch = (kind: string, name: string): JsonSchema => ({
      type: 'object',
      properties: { kind: { const: kind }, [name]: size },
    });
    const shape = { anyOf: [branch('circle', 'radius'), branch('square', 'side')] };
    expect(problems(shape, { kind: 'circle', radius: 'x' })).toEqual(['/radius must be number']);
  });

  it('say which tags there are, where the value has none of them', () => {
    for (const wrong of [{ kind: 'root' }, { size: 1 }, {}])
      expect(problems(tree, { tree: wrong })).toEqual([
        '/tree/kind must be one of "leaf", "branch"',
      ]);
  });

  it('stay as they are where the branches have no tag, or the value is no object', () => {
    const untagged = schemaOf(
      z.object({ a: z.union([z.object({ b: z.string() }), z.object({ c: z.string() })]) }),
    );
    expect(problems(untagged, { a: {} })).toHaveLength(3);
    expect(problems(tree, { tree: 1 }).length).toBeGreaterThan(0);
  });

  it('go by the property that tells the branches apart, not by one that is alike in them', () => {
    const unit = z.enum(['m', 'ft']);
    const schema = schemaOf(
      z.object({
        in: z.discriminatedUnion('kind', [
          z.object({ unit, kind: z.literal('box'), side: z.number() }),
          z.object({ unit, kind: z.literal('ball'), radius: z.number() }),
        ]),
      }),
    );
    expect(problems(schema, { in: { unit: 'm', kind: 'ball' } })).toEqual([
      '/in/radius is required',
    ]);
  });

  it('are those of the only branch for objects, tag or no tag', () => {
    const schema = schemaOf(
      z.object({
        in: z.object({ level: z.enum(['a', 'b']).optional(), name: z.string() }).nullable(),
      }),
    );
    expect(problems(schema, { in: { name: 1 } })).toEqual(['/in/name must be string']);
    expect(problems(schema, { in: { level: 'c' } })).toEqual([
      '/in/name is required',
      '/in/level must be one of "a", "b"',
    ]);
  });

  it('are all told where the tag may be missing, or a branch takes any object', () => {
    const tagged: JsonSchema = { properties: { a: { const: 1 }, b: { type: 'string' } } };
    for (const other of [
      { properties: { a: { const: 2 } }, required: ['c'] },
      { type: 'object', additionalProperties: { type: 'number' } },
    ])
      expect(problems({ anyOf: [tagged, other] }, { b: true })).toHaveLength(3);
  });

  it('leave out the unions inside branches that are not meant', () => {
    const inner = z.discriminatedUnion('type', [
      z.object({ type: z.literal('x') }),
      z.object({ type: z.literal('y') }),
    ]);
    const schema = schemaOf(
      z.object({
        in: z.discriminatedUnion('kind', [
          z.object({ kind: z.literal('a'), more: z.object({ n: z.number() }) }),
          z.object({ kind: z.literal('b'), more: inner }),
        ]),
      }),
    );
    expect(problems(schema, { in: { kind: 'a', more: {} } })).toEqual(['/in/more/n is required']);
  });

  it('point to tags with signs in them', () => {
    const branch = (name: string): JsonSchema => ({
      type: 'object',
      properties: { 'a/b': { const: name } },
      required: ['a/b'],
    });
    expect(problems({ anyOf: [branch('x'), branch('y')] }, {})).toEqual([
      '/a~1b must be one of "x", "y"',
    ]);
  });

  it('know branches that are null, or have several tags', () => {
    const schema: JsonSchema = {
      properties: {
        in: {
          oneOf: [
            { type: 'null' },
            { type: 'object', properties: { a: { enum: [1, 2] }, b: { type: 'string' } } },
            { type: 'object', properties: { a: { const: 3 } }, required: ['c'] },
          ],
        },
      },
    };
    expect(problems(schema, { in: null })).toEqual([]);
    expect(problems(schema, { in: { a: 2, b: 1 } })).toContain('/in/b must be string');
    expect(problems(schema, { in: { a: 2, b: 1 } })).not.toContain('/in/c is required');
    expect(problems(schema, { in: { a: 3 } })).toContain('/in/c is required');
  });
});
