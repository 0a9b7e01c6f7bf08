import { newestDraftOf } from './older-drafts';

describe('newestDraftOf', () => {
  it('keeps dependentRequired and dependentSchemas beside dependencies', () => {
    const newer = { dependentRequired: { a: ['b'] }, dependentSchemas: { c: { required: ['d'] } } };
    const dependencies = { e: ['f'], g: { required: ['h'] } };
    expect(newestDraftOf({ ...newer, dependencies })).toEqual({
      dependentRequired: { a: ['b'], e: ['f'] },
      dependentSchemas: { c: { required: ['d'] }, g: { required: ['h'] } },
    });
  });

  it('lets a constant be null', () => {
    expect(newestDraftOf({ type: 'string', const: 'a', nullable: true })).toEqual({
      anyOf: [{ type: 'string', const: 'a' }, { type: 'null' }],
    });
  });

  it('has references into the items of a tuple lead to the same place', () => {
    const pair = { type: 'array', items: [{ type: 'string' }, { items: [{ type: 'number' }] }] };
    const schema = {
      definitions: { pair },
      properties: {
        name: { $ref: '#/definitions/pair/items/0' },
        count: { $ref: '#/definitions/pair/items/1/items/0' },
        both: { $ref: '#/definitions/pair' },
      },
    };
    const { properties, definitions } = newestDraftOf(schema);
    expect(properties).toEqual({
      name: { $ref: '#/definitions/pair/prefixItems/0' },
      count: { $ref: '#/definitions/pair/prefixItems/1/prefixItems/0' },
      both: { $ref: '#/definitions/pair' },
    });
    expect(definitions).toHaveProperty('pair.prefixItems.0', { type: 'string' });
  });
});
