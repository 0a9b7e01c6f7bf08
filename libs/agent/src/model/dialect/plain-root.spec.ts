import type { JsonSchema } from '../../tool';
import { withPlainRoot } from './plain-root';

const text: JsonSchema = { type: 'string' };

describe('withPlainRoot', () => {
  it('leaves a plain schema alone', () => {
    const schema: JsonSchema = { type: 'object', properties: { a: { anyOf: [text] } } };
    expect(withPlainRoot(schema)).toBe(schema);
  });

  it('names the sets of arguments that go together', () => {
    expect(
      withPlainRoot({
        type: 'object',
        description: 'Finds one',
        properties: { id: text, name: text },
        anyOf: [{ required: ['id'] }, { required: ['name'] }],
        unevaluatedProperties: false,
      }),
    ).toEqual({
      type: 'object',
      description: 'Finds one. Give one of these sets of arguments: (id) or (name)',
      properties: { id: text, name: text },
      additionalProperties: false,
    });
  });

  it('folds the properties of branches and parts together', () => {
    expect(
      withPlainRoot({
        type: 'object',
        allOf: [{ properties: { all: text }, required: ['all'] }, true],
        oneOf: [
          { $ref: '#/$defs/A' },
          { properties: { kind: { const: 'b' }, b: text }, required: ['kind'] },
        ],
        $defs: { A: { properties: { kind: { const: 'a' } }, required: ['kind'] } },
      }),
    ).toEqual({
      type: 'object',
      properties: { all: text, kind: { anyOf: [{ const: 'a' }, { const: 'b' }] }, b: text },
      required: ['all', 'kind'],
      $defs: { A: { properties: { kind: { const: 'a' } }, required: ['kind'] } },
    });
  });

  it('tells what it cannot fold', () => {
    expect(withPlainRoot({ type: 'object', not: { required: ['a'] } })).toEqual({
      type: 'object',
      description: 'The arguments have to fit {"not":{"required":["a"]}}',
    });
  });

  it('ends where parts refer to the whole', () => {
    expect(withPlainRoot({ type: 'object', anyOf: [{ $ref: '#' }, { required: ['a'] }] })).toEqual({
      type: 'object',
    });
  });
});
