import { readMarkup } from './read-markup';

const read = (markup: string) => [...readMarkup(markup)];

describe('readMarkup', () => {
  it('reads tags, attributes and texts', () => {
    expect(read(`<svg viewBox="0 0 1 1"><g id='a > b'/>1 &lt; 2&#33;</svg>`)).toEqual([
      { type: 'open', value: 'svg', attributes: [['viewBox', '0 0 1 1']], isEmpty: false },
      { type: 'open', value: 'g', attributes: [['id', 'a > b']], isEmpty: true },
      { type: 'text', value: '1 < 2!' },
      { type: 'close', value: 'svg' },
    ]);
  });

  it('passes by comments, declarations and instructions, and takes CDATA as it is', () => {
    expect(read('<?xml version="1.0"?><!DOCTYPE svg><!-- <g> --><![CDATA[a &amp; <b>]]>')).toEqual([
      { type: 'text', value: 'a &amp; <b>' },
    ]);
  });

  it('knows no entity by what every object has', () => {
    expect(read('&constructor;&toString;')).toEqual([
      { type: 'text', value: '&constructor;&toString;' },
    ]);
  });

  // Each of these took a time that grew with the square of its length: minutes, at this one.
  it.each([
    ['a tag without an end', `<${'a'.repeat(200_000)}`],
    ['an attribute without a value', `<svg ${'a'.repeat(199_990)}>`],
    ['closing tags without an end', '</a'.repeat(66_000)],
    ['an attribute without an end', `<svg a=${'"'.repeat(199_991)}`],
    ['quotes in quotes', `<a '"`.repeat(40_000)],
  ])('reads %s in one pass', (_what, markup) => {
    expect(read(markup).length).toBeLessThanOrEqual(markup.length);
  });
});
