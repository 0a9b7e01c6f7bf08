import { ThinkTagSplitter } from './think-tags';

describe('ThinkTagSplitter', () => {
  it('does not hold back an answer that begins with nothing but blanks', () => {
    const splitter = new ThinkTagSplitter();
    const blanks = ' '.repeat(2_000);
    expect(splitter.add(blanks)).toEqual([{ type: 'text.delta', delta: blanks }]);
    expect(splitter.add('<think>')).toEqual([{ type: 'text.delta', delta: '<think>' }]);
  });

  it.each(['think', 'thought', 'reasoning', 'thinking', 'mm:think'])(
    'takes <%s> in single characters, to its own end',
    (name) => {
      const splitter = new ThinkTagSplitter();
      const pieces = [...`<${name}>a </thin>b</${name}>\n<${name}>c`].flatMap((one) =>
        splitter.add(one),
      );
      const said = (type: string) =>
        [...pieces, ...splitter.finish()]
          .filter((piece) => piece.type === type)
          .map(({ delta }) => delta)
          .join('');
      expect(said('reasoning.delta')).toBe('a </thin>b');
      expect(said('text.delta')).toBe(`<${name}>c`);
    },
  );

  it.each(['think', 'mm:think'])('leaves out </%s> where the answer begins with it', (name) => {
    const splitter = new ThinkTagSplitter();
    const pieces = [...`\n</${name}>\n\nYes, </${name}>`].flatMap((one) => splitter.add(one));
    expect(pieces.every(({ type }) => type === 'text.delta')).toBe(true);
    expect(pieces.map(({ delta }) => delta).join('')).toBe(`Yes, </${name}>`);
  });

  it.each(['<thinker>', '<th', '</th', '<thoughts>'])(
    'shows %s, which only begins like a tag',
    (text) => {
      const splitter = new ThinkTagSplitter();
      const pieces = [...splitter.add(text), ...splitter.finish()];
      expect(pieces).toEqual([{ type: 'text.delta', delta: text }]);
    },
  );
});
