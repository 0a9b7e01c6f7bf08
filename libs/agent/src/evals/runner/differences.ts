import { canonicalJson } from '../../internal';
import { isJsonObject, type JsonObject, type JsonValue } from '../../message';

/** The conditions that an expected value may state in place of a value, and whether one holds. */
const CONDITIONS = {
  $any: () => true,
  $matches: (pattern: JsonValue, value: JsonValue | undefined) =>
    typeof value === 'string' && new RegExp(pattern as string, 'u').test(value),
  $oneOf: (values: JsonValue, value: JsonValue | undefined, isWhole: boolean) =>
    (values as readonly JsonValue[]).some((each) => differences(each, value, isWhole).length === 0),
};

export const CONDITION_NAMES = Object.keys(CONDITIONS);

/** The condition that a value states: an object with one key that begins with `$`. */
export function conditionIn(value: unknown): readonly [name: string, of: unknown] | undefined {
  if (!isJsonObject(value)) return undefined;
  const entries = Object.entries(value);
  const [first] = entries;
  return entries.length === 1 && first?.[0].startsWith('$') ? first : undefined;
}

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
    const [name, of] = condition as readonly [keyof typeof CONDITIONS, JsonValue];
    return CONDITIONS[name](of, actual, isWhole) ? [] : [difference(at, expected, actual)];
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

/** Like `pointer` of the schema layer, which the workbench's page must not load. */
function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
