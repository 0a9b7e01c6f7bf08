import type { ErrorObject } from 'ajv';
import { getOrAdd } from '../../internal';
import { isJsonObject, type JsonObject, type JsonValue } from '../../message';
import type { JsonSchema } from '../../tool';
import { follow, mapSchemas, MEMBERS, pointer, typesOf } from '../json-schema';

/**
 * The errors without those of union branches that do not match the value's tag: a property with a
 * different constant in each branch. Errors of the other branches would mislead.
 *
 * @param root the compiled schema, by identity: errors refer to its parts
 */
export function withoutOtherBranches(
  errors: readonly ErrorObject[],
  root: JsonSchema,
): readonly ErrorObject[] {
  const kept: (ErrorObject | undefined)[] = [...errors];
  const unions = new Map<unknown, Union>();
  // Backwards: a union's error follows those of its branches, and removes nested unions with them.
  for (let index = errors.length - 1; index >= 0; index--) {
    const error = kept[index];
    if (error?.keyword !== 'anyOf' && error?.keyword !== 'oneOf') continue;
    if (!isJsonObject(error.data)) continue;
    const union = getOrAdd(unions, error.schema, () => unionOf(error, root));
    const meant = branchMeant(union, error.data);
    if (meant === undefined) continue;
    kept[index] = meant === 'none' ? wrongTag(error, union) : undefined;
    const others = union.branches.filter((branch) => branch !== meant);
    for (let before = index - 1; before >= 0 && isWithin(errors[before], error); before--)
      if (others.some(({ parts }) => isAbout(errors[before], error, parts)))
        kept[before] = undefined;
  }
  return kept.filter((error) => error !== undefined);
}

interface Branch {
  readonly schema: JsonSchema;
  /** The schema's parts, with the depth of their values below the union's value. */
  readonly parts: ReadonlyMap<unknown, number>;
}

interface Union {
  readonly branches: readonly Branch[];
  /** The branches that accept objects. */
  readonly objects: readonly Branch[];
  readonly tag: string | undefined;
}

function unionOf(error: ErrorObject, root: JsonSchema): Union {
  const branches = (error.schema as readonly JsonSchema[]).map((branch) => {
    const schema = branch.$ref === undefined ? branch : (follow(branch.$ref, root) ?? branch);
    return { schema, parts: partsOf(schema) };
  });
  const objects = branches.filter(({ schema }) => takesObjects(schema));
  return { branches, objects, tag: tagOf(objects.map(({ schema }) => schema)) };
}

function takesObjects({ type, enum: values, const: only }: JsonSchema): boolean {
  if (type !== undefined) return typesOf(type).includes('object');
  return values === undefined && only === undefined;
}

/** The branch that an object's tag selects; `none` if no branch has its tag. */
function branchMeant({ objects, tag }: Union, value: JsonObject): Branch | 'none' | undefined {
  if (objects.length === 1) return objects[0];
  if (tag === undefined) return undefined;
  const own = value[tag];
  if (own === undefined)
    return objects.every(({ schema }) => schema.required?.includes(tag)) ? 'none' : undefined;
  return objects.find(({ schema }) => tagValues(schema, tag)?.includes(own)) ?? 'none';
}

function wrongTag(error: ErrorObject, { objects, tag = '' }: Union): ErrorObject {
  const allowedValues = objects.flatMap(({ schema }) => tagValues(schema, tag) ?? []);
  const instancePath = pointer(error.instancePath, tag);
  return { ...error, keyword: 'enum', instancePath, params: { allowedValues } };
}

/** The property with a constant or an enum in each branch, without values in common. */
function tagOf(branches: readonly JsonSchema[]): string | undefined {
  return Object.keys(branches[0]?.properties ?? {}).find((name) => {
    const values = branches.map((branch) => tagValues(branch, name));
    const all = values.flatMap((own) => own ?? []);
    return values.every((own) => own !== undefined) && new Set(all).size === all.length;
  });
}

function tagValues(branch: JsonSchema, name: string): readonly JsonValue[] | undefined {
  const property = branch.properties?.[name];
  if (property?.const !== undefined) return [property.const as JsonValue];
  return property?.enum;
}

function partsOf(schema: JsonSchema): ReadonlyMap<unknown, number> {
  const parts = new Map<unknown, number>();
  const visit = (part: JsonSchema, level: number): JsonSchema => {
    parts.set(part, level);
    return mapSchemas(part, (inner, keyword) =>
      visit(inner, MEMBERS.includes(keyword) ? level + 1 : level),
    );
  };
  visit(schema, 0);
  return parts;
}

/** Whether an error comes from these parts, for the union's own value. */
function isAbout(
  error: ErrorObject | undefined,
  union: ErrorObject,
  parts: ReadonlyMap<unknown, number>,
): boolean {
  // A recursive definition may occur again further inside, for another value.
  return (
    error !== undefined &&
    parts.get(error.parentSchema) === depthOf(error.instancePath) - depthOf(union.instancePath)
  );
}

/** Whether an error is at a union's value, or inside it. */
function isWithin(error: ErrorObject | undefined, union: ErrorObject): boolean {
  return error !== undefined && `${error.instancePath}/`.startsWith(`${union.instancePath}/`);
}

function depthOf(path: string): number {
  return path.split('/').length;
}
