import { z } from 'zod';
import type { JsonSchema } from '../tool';
import { schemaOf, SchemaValidator } from './index';

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
