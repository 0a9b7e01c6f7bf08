import { misreadNames } from './route-query-reading';

describe('misreadNames', () => {
  it('leaves a query to the route that the parser refuses', () => {
    const written = { text: '?a=%7B%7D', pairs: [['a', '{}']], given: [{ key: 'a', value: {} }] };
    const refuse = (): never => {
      throw new Error('No objects.');
    };
    expect(misreadNames(written, refuse)).toEqual([]);
  });
});
