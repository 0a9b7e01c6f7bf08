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

  it('has no object without a property, and types where the schema has none', () => {
    const empty = { type: 'object', properties: {}, additionalProperties: false };
    const map = { type: 'object', additionalProperties: { type: 'string' } };
    const any = { description: 'Any' };
    expect(grammarSchemaOf(empty)).toEqual({ type: 'object' });
    expect(grammarSchemaOf({ type: 'object', properties: { empty, map, any } })).toEqual({
      type: 'object',
      properties: {
        empty: { type: 'object' },
        map,
        any: { ...any, type: ['object', 'array', 'string', 'number', 'boolean', 'null'] },
      },
    });
  });

  it('keeps the type of a choice in its branches', () => {
    const when = { type: 'string', anyOf: [{ format: 'date' }, { minLength: 9 }] };
    const isText = { type: 'string' };
    expect(grammarSchemaOf({ type: 'object', properties: { when } }).properties).toEqual({
      when: {
        type: 'string',
        anyOf: [
          { ...isText, description: 'format: date' },
          { ...isText, description: 'at least 9 characters' },
        ],
      },
    });
  });
});
