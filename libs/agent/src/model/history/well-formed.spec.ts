import { wellFormed } from './well-formed';

describe('wellFormed', () => {
  it('replaces lone surrogates at every depth, in keys too', () => {
    expect(wellFormed({ 'k\ud83d': ['a\udca5b', { b: '💥', c: 1, d: null }] })).toEqual({
      'k\ufffd': ['a\ufffdb', { b: '💥', c: 1, d: null }],
    });
  });

  it('hands out the value itself where there is nothing to replace', () => {
    const value = { text: 'ein Text 💥', list: [1, 'zwei', { drei: true }], none: undefined };
    expect(wellFormed(value)).toBe(value);
  });
});
