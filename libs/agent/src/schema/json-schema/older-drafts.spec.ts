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
});
