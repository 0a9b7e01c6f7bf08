import { ThinkTagSplitter } from './think-tags';

describe('ThinkTagSplitter', () => {
  it('does not hold back an answer that begins with nothing but blanks', () => {
    const splitter = new ThinkTagSplitter();
    const blanks = ' '.repeat(2_000);
    expect(splitter.add(blanks)).toEqual([{ type: 'text.delta', delta: blanks }]);
    expect(splitter.add('<think>')).toEqual([{ type: 'text.delta', delta: '<think>' }]);
  });

  it.each([
    ['<think>', '</think>'],
    ['<thought>', '</thought>'],
    ['<reasoning>', '</reasoning>'],
    ['<thinking>', '</thinking>'],
    ['<mm:think>', '</mm:think>'],
    // Gemma's and gpt-oss's.
    ['<|channel>thought', '<channel|>'],
    ['<|channel|>analysis<|message|>', '<|end|><|start|>assistant<|channel|>final<|message|>'],
    [
      '<|channel|>analysis<|message|>',
      '<|end|><|start|>assistant<|channel|>final <|constrain|>json<|message|>',
    ],
    // As llama.cpp writes it.
    ['<|channel|>analysis<|message|>', '<|end|>'],
  ])('takes %s in single characters, to its own end', (open, close) => {
    const splitter = new ThinkTagSplitter();
    const pieces = [...`${open}a </thin><|end>b${close}\n${open}c`].flatMap((one) =>
      splitter.add(one),
    );
    const said = (type: string) =>
      [...pieces, ...splitter.finish()]
        .filter((piece) => piece.type === type)
        .map(({ delta }) => delta)
        .join('');
    expect(said('reasoning.delta')).toBe('a </thin><|end>b');
    expect(said('text.delta')).toBe(`${open}c`);
  });

  it('takes several thoughts of gpt-oss as paragraphs, in single characters', () => {
    const head = (channel: string): string => `<|channel|>${channel}<|message|>`;
    const answer = `${head('analysis')}a<|end|><|start|>assistant${head('analysis')}b<|end|><|start|>assistant${head('final')}c`;
    const splitter = new ThinkTagSplitter();
    const pieces = [...answer].flatMap((one) => splitter.add(one));
    expect([...pieces, ...splitter.finish()]).toEqual([
      { type: 'reasoning.delta', delta: 'a' },
      { type: 'reasoning.delta', delta: '\n\n' },
      { type: 'reasoning.delta', delta: 'b' },
      { type: 'text.delta', delta: 'c' },
    ]);
  });

  it.each(['think', 'mm:think'])('leaves out </%s> where the answer begins with it', (name) => {
    const splitter = new ThinkTagSplitter();
    const pieces = [...`\n</${name}>\n\nYes, </${name}>`].flatMap((one) => splitter.add(one));
    expect(pieces.every(({ type }) => type === 'text.delta')).toBe(true);
    expect(pieces.map(({ delta }) => delta).join('')).toBe(`Yes, </${name}>`);
  });

  it.each(['<thinker>', '<th', '</th', '<thoughts>', '<|channel>tho'])(
    'shows %s, which only begins like a tag',
    (text) => {
      const splitter = new ThinkTagSplitter();
      const pieces = [...splitter.add(text), ...splitter.finish()];
      expect(pieces).toEqual([{ type: 'text.delta', delta: text }]);
    },
  );
});
