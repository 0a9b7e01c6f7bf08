import { routeFieldsOf } from './route-fields';
import type { RoutePart } from './route-part';

describe('the arguments of a route', () => {
  it('have names of their own, however long those of the parameters are', () => {
    const parts = ['a', 'b', 'c', 'd'].map((last, index): RoutePart => {
      const key = 'x'.repeat(64) + last;
      return { place: 'query', key, index, schema: { type: 'string' }, required: false };
    });
    const names = routeFieldsOf('list', parts).fields.map(({ name }) => name);
    expect(names).toEqual([
      'x'.repeat(64),
      `query_${'x'.repeat(58)}`,
      `query_${'x'.repeat(56)}_2`,
      `query_${'x'.repeat(56)}_3`,
    ]);
  });
});
