import type { ErrorObject } from 'ajv';
import { isJsonObject, type JsonValue } from '../message';
import type { JsonSchema } from '../tool';
import { mapSchemas } from './map-schemas';
import { follow } from './resolve-ref';

/**
 * The errors without those of branches that a value does not mean. Where the branches of a union
 * have a tag, a property that is another constant in each, the value's tag says which of them it is
 * about; what the others miss would only mislead.
 *
 * @param root the schema that the errors come from, the very object
 */
export function withoutOtherBranches(
  errors: readonly ErrorObject[],
  root: JsonSchema,
): readonly ErrorObject[] {
  let kept = errors;
  for (const error of errors) {
    const isUnion = error.keyword === 'anyOf' || error.keyword === 'oneOf';
    if (isUnion && kept.includes(error)) kept = aboutOneBranch(error, kept, root);
  }
  return kept;
}

function aboutOneBranch(
  union: ErrorObject,
  errors: readonly ErrorObject[],
  root: JsonSchema,
): readonly ErrorObject[] {
  const value: unknown = union.data;
  if (!isJsonObject(value)) return errors;
  const branches = (union.schema as readonly JsonSchema[]).map((branch) =>
    branch.$ref === undefined ? branch : (follow(branch.$ref, root) ?? branch),
  );
  const tag = tagOf(branches);
  if (tag === undefined) return errors;
  const meant = branches.find((branch) => tagValues(branch, tag)?.includes(value[tag] ?? null));
  const others = branches.filter((branch) => branch !== meant).map(partsOf);
  const rest = errors.filter(
    (error) => error !== union && !others.some((parts) => isAbout(error, union, parts)),
  );
  if (meant !== undefined) return rest;
  const allowedValues = branches.flatMap((branch) => tagValues(branch, tag) ?? []);
  const instancePath = `${union.instancePath}/${tag}`;
  return [...rest, { ...union, keyword: 'enum', instancePath, params: { allowedValues } }];
}

/** The property that is a constant, or one of several, in each branch that is an object. */
function tagOf(branches: readonly JsonSchema[]): string | undefined {
  const objects = branches.filter(({ properties }) => properties !== undefined);
  return Object.keys(objects[0]?.properties ?? {}).find((name) =>
    objects.every((branch) => tagValues(branch, name) !== undefined),
  );
}

function tagValues(branch: JsonSchema, name: string): readonly JsonValue[] | undefined {
  const property = branch.properties?.[name];
  if (property?.const !== undefined) return [property.const as JsonValue];
  return property?.enum;
}

/** Keywords whose schemas are about members of the value. */
const MEMBERS = ['properties', 'patternProperties', 'additionalProperties', 'items', 'prefixItems'];

/** A schema's parts, with how many levels further inside the value they are about. */
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

/** Whether an error comes from these parts, and is about the union's own value. */
function isAbout(
  { parentSchema, instancePath }: ErrorObject,
  union: ErrorObject,
  parts: ReadonlyMap<unknown, number>,
): boolean {
  // A definition may be met again further inside, where its errors are about another value.
  const level = depthOf(instancePath) - depthOf(union.instancePath);
  return (
    parts.get(parentSchema) === level && `${instancePath}/`.startsWith(`${union.instancePath}/`)
  );
}

function depthOf(path: string): number {
  return path.split('/').length;
}
