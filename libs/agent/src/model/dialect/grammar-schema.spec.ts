import { grammarSchemaOf } from './grammar-schema';

describe('a schema for a grammar', () => {
  it('has patterns and lengths in words', () => {
    const date = { type: 'string', pattern: '^\\d+$', description: 'When' };
    const texts = { type: 'array', items: { type: 'string', maxLength: 9_000 }, maxItems: 3 };
    expect(grammarSchemaOf({ type: 'object', properties: { date, texts } })).toEqual({
      type: 'object',
      properties: {
        date: { type: 'string', description: 'When. matches ^\\d+$' },
        texts: {
          type: 'array',
          items: { type: 'string', description: 'at most 9000 characters' },
          description: 'at most 3 items',
        },
      },
    });
  });

  it('has no object without a property, and no value of an unknown kind with a description', () => {
    const empty = { type: 'object', properties: {}, additionalProperties: false };
    const map = { type: 'object', additionalProperties: { type: 'string' } };
    expect(grammarSchemaOf(empty)).toEqual({ type: 'object' });
    expect(
      grammarSchemaOf({ type: 'object', properties: { empty, map, any: { description: 'Any' } } }),
    ).toEqual({ type: 'object', properties: { empty: { type: 'object' }, map, any: {} } });
  });
});
