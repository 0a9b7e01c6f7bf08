import { DE } from './de';
import { EN } from './en';
import { textsOf } from './texts';
import { filled } from './words';

/** Each text by its path, with the names of its values in order. */
function valuesOf(texts: object, path = ''): Record<string, readonly string[]> {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([key, text]: [string, unknown]) => {
      const at = `${path}${key}`;
      if (typeof text === 'object' && text !== null)
        return Object.entries(valuesOf(text, `${at}.`));
      return [[at, [...String(text).matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).sort()]];
    }),
  );
}

describe('the words of the chat', () => {
  it('have the same values in German as in English', () => {
    expect(valuesOf(DE)).toEqual(valuesOf(EN));
  });

  it.each([
    ['de', 'Senden'],
    ['en', 'Send'],
    ['fr', 'Send'],
  ])('of "%s" say "%s"', (lang, send) => {
    expect(textsOf((each) => each === lang).send).toBe(send);
  });

  it('are replaced one by one, and only by words', () => {
    const own = {
      send: 'Envoyer',
      calls: { done: 'Fait' },
      problems: 'no object',
      stop: 1,
      more: '',
    };
    const texts = textsOf(() => false, own as never);
    expect(texts).toEqual({ ...EN, send: 'Envoyer', calls: { ...EN.calls, done: 'Fait' } });
  });

  it('take values as they are, whatever they contain', () => {
    const text = filled('{a} and {b}, {constructor}', { a: '{b} $& $1', b: 2 });
    expect(text).toBe('{b} $& $1 and 2, {constructor}');
  });
});
