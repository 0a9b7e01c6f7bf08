import { wakeIn } from './wake-text';

describe('wakeIn()', () => {
  it('reads the last number, the end of the run, and events', () => {
    expect(wakeIn('7 0 ')).toEqual({ last: 7, isOver: false, publishedAt: undefined, texts: [] });
    expect(wakeIn('7 1 900\n{"a":1}\n{}')).toEqual({
      last: 7,
      isOver: true,
      publishedAt: 900,
      texts: ['{"a":1}', '{}'],
    });
  });

  it.each([
    '',
    '7',
    '7 0',
    '-1 0 ',
    '7 2 ',
    ' 7 0 ',
    '7 0 x',
    '7 0 -1',
    '1e3 0 ',
    '9'.repeat(16) + ' 0 ',
  ])('does not read %j', (text) => expect(wakeIn(text)).toBeUndefined());
});
