import { withFallback } from '../../../internal';
import type { JsonSchema } from '../../../tool';
import { typesOf } from '../../json-schema';
import type { ApiProperty, ValidationRule } from '../../metadata';
import { apiSchema } from './api-schema';
import type { TypeSchemas } from './type-schemas.interface';

/**
 * Whether a condition always applies the other rules to a value, regardless of the object, like that of
 * `PartialType(Base, { skipNullProperties: false })` to null, and `@ValidateIf((_, value) => value !== null)` to a
 * missing one.
 */
export function hasChecked({ constraints: [condition] }: ValidationRule, value: unknown): boolean {
  if (typeof condition !== 'function' || condition.length < 2) return false;
  // Throws on any access, so that a condition that reads other fields gives no answer.
  const { proxy: unreadable, revoke } = Proxy.revocable({}, {});
  revoke();
  try {
    const holds = (condition as (object: object, value: unknown) => unknown)(unreadable, value);
    // A rejected promise that nothing waits for ends the process.
    void Promise.resolve(holds).catch(() => undefined);
    return holds === true;
  } catch {
    return false; // It needs the object's properties.
  }
}

/** Some values of each JSON type but numbers. */
const SAMPLES: Readonly<Record<string, readonly unknown[]>> = {
  string: ['text', ''],
  boolean: [true, false],
  array: [[], [{}]],
  object: [{}],
};
const NUMBERS: readonly unknown[] = [1, 0, -1];

/**
 * The schema with the documented types that its rules leave out and its conditions let pass unchecked, as
 * `oneOf` of a text and a class behind `@ValidateIf((_, value) => typeof value !== 'string')`.
 */
export function withUnchecked(
  schema: JsonSchema,
  api: ApiProperty,
  conditions: readonly ValidationRule[],
  types: TypeSchemas,
): JsonSchema {
  const known = kindsOf(schema);
  if (conditions.length === 0 || known.length === 0) return schema;
  const { anyOf } = alternativesOf(api, types);
  if (!Array.isArray(anyOf)) return schema;
  const isUnchecked = (kind: string): boolean =>
    !known.includes(kind) &&
    conditions.some((one) => (SAMPLES[kind] ?? NUMBERS).some((value) => !hasChecked(one, value)));
  const others = (anyOf as readonly JsonSchema[]).filter((branch) => {
    const kinds = kindsOf(branch);
    return kinds.length > 0 && kinds.every(isUnchecked);
  });
  return others.length === 0 ? schema : { anyOf: [schema, ...others] };
}

/** The documented types, if there are several that JSON can carry: the rules do without. */
function alternativesOf(api: ApiProperty, types: TypeSchemas): JsonSchema {
  if (!Array.isArray(api.oneOf ?? api.anyOf)) return {};
  return withFallback(() => apiSchema({ ...api, nullable: false }, types), {});
}

/** The JSON types of a schema's values; none if they are not known. A reference is to a class. */
function kindsOf({ $ref, type, anyOf }: JsonSchema): readonly string[] {
  if ($ref !== undefined) return ['object'];
  if (Array.isArray(anyOf)) {
    const kinds = (anyOf as readonly JsonSchema[]).map(kindsOf);
    return kinds.some(({ length }) => length === 0) ? [] : kinds.flat();
  }
  return typesOf(type).flatMap((kind) => (kind === 'integer' ? [kind, 'number'] : [kind]));
}
