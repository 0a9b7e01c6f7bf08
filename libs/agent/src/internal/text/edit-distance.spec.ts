import { editDistance } from './edit-distance';

describe('editDistance', () => {
  it('counts letters to insert, delete or replace', () => {
    expect(editDistance('kitten', 'sitting')).toBe(3);
    expect(editDistance('', 'abc')).toBe(3);
  });

  it('counts a letter outside the basic plane as one', () => {
    expect(editDistance('😀', '😀')).toBe(0);
    expect(editDistance('a😀', 'a')).toBe(1);
  });
});
