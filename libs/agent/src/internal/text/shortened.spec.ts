import { firstChars, shortened } from './shortened';

describe('shortened', () => {
  it('keeps a text that is short enough', () => {
    expect(shortened('four', 4)).toBe('four');
    expect(shortened('fifth', 4)).toBe('fift…');
  });

  it('does not cut within a character', () => {
    expect(firstChars('ab😀', 3)).toBe('ab');
    expect(firstChars('ab😀', 4)).toBe('ab😀');
    expect(shortened('ab😀d', 3)).toBe('ab…');
  });
});
