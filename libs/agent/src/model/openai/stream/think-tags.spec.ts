import { ThinkTagSplitter } from './think-tags';

describe('ThinkTagSplitter', () => {
  it('does not hold back an answer that begins with nothing but blanks', () => {
    const splitter = new ThinkTagSplitter();
    const blanks = ' '.repeat(2_000);
    expect(splitter.add(blanks)).toEqual([{ type: 'text.delta', delta: blanks }]);
    expect(splitter.add('<think>')).toEqual([{ type: 'text.delta', delta: '<think>' }]);
  });
});
