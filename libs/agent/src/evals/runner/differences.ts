import { canonicalJson } from '../../internal';
import { isJsonObject, type JsonObject, type JsonValue } from '../../message';
import { conditionIn, holds } from './conditions';

/**
 * The differences from an expected value, one text for each place, with its JSON pointer
 * (https://www.rfc-editor.org/rfc/rfc6901); empty if all is.
 *
 * @param isWhole whether an object may have no keys but the expected ones
 */
export function differences(
  expected: JsonValue,
  actual: JsonValue | undefined,
  isWhole: boolean,
  at = '',
): readonly string[] {
  const condition = conditionIn(expected);
  if (condition) {
    const fits = (other: JsonValue): boolean => differences(other, actual, isWhole).length === 0;
    return holds(condition, actual, fits) ? [] : [difference(at, expected, actual)];
  }
  if (isJsonObject(expected) && isJsonObject(actual))
    return inObjects(expected, actual, isWhole, at);
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    return expected.flatMap((each: JsonValue, index) =>
      differences(each, actual[index] as JsonValue, isWhole, `${at}/${index}`),
    );
  }
  const isSame = actual !== undefined && canonicalJson(expected) === canonicalJson(actual);
  return isSame ? [] : [difference(at, expected, actual)];
}

function inObjects(
  expected: JsonObject,
  actual: JsonObject,
  isWhole: boolean,
  at: string,
): readonly string[] {
  const wrong = Object.entries(expected).flatMap(([key, value]) =>
    differences(value, own(actual, key), isWhole, `${at}/${escaped(key)}`),
  );
  if (!isWhole) return wrong;
  const others = Object.entries(actual).filter(([key]) => !Object.hasOwn(expected, key));
  return [
    ...wrong,
    ...others.map(
      ([key, value]) => `${at}/${escaped(key)} was ${JSON.stringify(value)}, expected none`,
    ),
  ];
}

function difference(at: string, expected: JsonValue, actual: JsonValue | undefined): string {
  const was = actual === undefined ? 'is missing' : `was ${JSON.stringify(actual)}`;
  return `${at === '' ? 'the value' : at} ${was}, expected ${JSON.stringify(expected)}`;
}

function own(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
