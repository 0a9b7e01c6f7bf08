import { DE } from './de';
import { EN } from './en';

/** Each text by its path, with the names of its values in order. */
function valuesOf(texts: object, path = ''): readonly string[] {
  return Object.entries(texts).flatMap(([key, text]: [string, unknown]) => {
    if (typeof text === 'object' && text !== null) return valuesOf(text, `${path}${key}.`);
    const names = [...String(text).matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    return [`${path}${key}: ${names.sort().join(', ')}`];
  });
}

it('the words of the workbench have the same values in German as in English', () => {
  expect(valuesOf(DE)).toEqual(valuesOf(EN));
});
