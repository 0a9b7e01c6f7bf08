import { queryOf } from './node-http';

describe('queryOf()', () => {
  it('reads the query to its end: a question mark may stand in it', () => {
    const query = queryOf({ url: '/agent/sessions?search=what?&limit=5' });
    expect([...query]).toEqual([
      ['search', 'what?'],
      ['limit', '5'],
    ]);
  });

  it('is empty for a URL without one', () => {
    expect([...queryOf({ url: '/agent/sessions' })]).toEqual([]);
  });
});
