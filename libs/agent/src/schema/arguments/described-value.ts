import { getOrAdd } from '../../internal';
import { follow, pointer } from '../json-schema';
import { type DescribedType, schemaOf, sourceOfTemplate } from '../from-class';
import type { TypeTemplate } from '../metadata';
import { SchemaValidator } from './schema-validator';

/** A value that one type's own reader has to convert: a date, a bigint, an instance of a class. */
export interface TypedValue {
  readonly type: unknown;
  readonly value: unknown;
  readonly path: string;
}

/**
 * Walks through a checked value and rebuilds it as the described type: plain objects, with dates,
 * bigints, maps, sets and instances in their places. It yields each value that its caller must convert,
 * and continues with the converted value.
 */
export function* describedValue(
  { template: root }: DescribedType,
  value: unknown,
  path: string,
): Generator<TypedValue, unknown, unknown> {
  return yield* walk(root, value, path);

  function* walk(
    template: TypeTemplate,
    value: unknown,
    path: string,
  ): Generator<TypedValue, unknown, unknown> {
    if (value === null || value === undefined) return value;
    const { $ref, $of, anyOf, items, prefixItems } = template;
    if (typeof $ref === 'string') {
      const target = follow($ref, root);
      return target ? yield* walk(target, value, path) : value;
    }
    if (Array.isArray(anyOf)) {
      const branch = branchOf(anyOf as readonly TypeTemplate[], value, root);
      return branch ? yield* walk(branch, value, path) : value;
    }
    if (typeof $of === 'function') return yield { type: $of, value, path };
    if ($of === 'date') return yield { type: Date, value, path };
    if ($of === 'bigint') return yield { type: BigInt, value, path };
    if (Array.isArray(value)) {
      const fixed = (prefixItems ?? []) as readonly TypeTemplate[];
      const list: unknown[] = [];
      for (const [index, item] of value.entries())
        list.push(yield* member(fixed[index] ?? items, item, pointer(path, index)));
      return $of === 'set' ? new Set(list) : list;
    }
    if (typeof value !== 'object') return value;
    const properties = (template.properties ?? {}) as Readonly<Record<string, TypeTemplate>>;
    const entries: [string, unknown][] = [];
    for (const [key, inside] of Object.entries(value)) {
      const own = Object.hasOwn(properties, key) ? properties[key] : template.additionalProperties;
      entries.push([key, yield* member(own, inside, pointer(path, key))]);
    }
    return $of === 'map' ? new Map(entries) : Object.fromEntries(entries);
  }

  function* member(
    template: unknown,
    value: unknown,
    path: string,
  ): Generator<TypedValue, unknown, unknown> {
    return typeof template === 'object' && template !== null
      ? yield* walk(template as TypeTemplate, value, path)
      : value;
  }
}

// Compiled at the first value, and kept as long as the description.
const validators = new WeakMap<TypeTemplate, SchemaValidator>();

/** The first branch of a union that accepts the value. */
function branchOf(
  branches: readonly TypeTemplate[],
  value: unknown,
  { $defs }: TypeTemplate,
): TypeTemplate | undefined {
  return branches.find((branch) => {
    const validator = getOrAdd(validators, branch, () => {
      const source = sourceOfTemplate($defs === undefined ? branch : { ...branch, $defs });
      return new SchemaValidator(schemaOf(source));
    });
    return validator.check(value).length === 0;
  });
}
