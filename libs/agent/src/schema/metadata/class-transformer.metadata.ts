import type { AnyClass } from '../class-type';
import {
  type ExcludeOptions,
  type ExposeOptions,
  TransformationType,
  type TypeMetadata,
} from 'class-transformer';
import { defaultMetadataStorage as storage } from 'class-transformer/cjs/storage';
import type { Direction } from '../direction';

const TRANSFORMATION: Readonly<Record<Direction, TransformationType>> = {
  input: TransformationType.PLAIN_TO_CLASS,
  output: TransformationType.CLASS_TO_PLAIN,
};

/** What class-transformer does with a property in one direction. */
export interface TransformRules {
  /** The name on the wire. */
  readonly name: string;
  readonly isHidden: boolean;
  /** A `@Transform` decides what becomes of the value. */
  readonly isTransformed: boolean;
  readonly type?: TypeMetadata;
}

/** The properties that class-transformer knows of a class by name. */
export function transformedProperties(type: AnyClass): readonly string[] {
  const named = [
    ...storage.getExposedMetadatas(type),
    ...storage.getExcludedMetadatas(type),
  ].flatMap(({ propertyName }) => (propertyName === undefined ? [] : [propertyName]));
  return [...typedProperties(type), ...named];
}

/** Properties that only `@Type` marks; the storage has no question for them, so its map is read. */
function typedProperties(type: AnyClass): readonly string[] {
  const types = storage._typeMetadatas;
  const names: string[] = [];
  for (let one: unknown = type; typeof one === 'function'; one = Object.getPrototypeOf(one))
    names.unshift(...(types?.get(one)?.keys() ?? []));
  return names;
}

export function transformRulesOf(
  type: AnyClass,
  property: string,
  direction: Direction,
  groups: readonly string[],
): TransformRules {
  if (!isMarked(type)) return { name: property, isHidden: false, isTransformed: false };
  const expose = storage.findExposeMetadata(type, property);
  const exclude = storage.findExcludeMetadata(type, property);
  const typeMetadata = storage.findTypeMetadata(type, property);
  const isExposed = expose !== undefined && appliesTo(expose.options, direction);
  const name = isExposed ? (expose.options.name ?? property) : property;
  const isHidden =
    (exclude !== undefined && appliesTo(exclude.options, direction)) ||
    (storage.getStrategy(type) === 'excludeAll' && !isExposed) ||
    (expose !== undefined && !sharesGroup(expose.options, groups));
  const isTransformed = storage
    .findTransformMetadatas(type, property, TRANSFORMATION[direction])
    .some(({ options }) => sharesGroup(options, groups));
  return { name, isHidden, isTransformed, ...(typeMetadata && { type: typeMetadata }) };
}

/** Whether class-transformer knows the class or an ancestor at all; most DTOs it does not. */
function isMarked(type: AnyClass): boolean {
  const { _typeMetadatas, _exposeMetadatas, _excludeMetadatas, _transformMetadatas } = storage;
  const maps = [_typeMetadatas, _exposeMetadatas, _excludeMetadatas, _transformMetadatas];
  for (let one: unknown = type; typeof one === 'function'; one = Object.getPrototypeOf(one))
    if (maps.some((map) => map === undefined || map.has(one))) return true;
  return false;
}

function appliesTo(options: ExposeOptions | ExcludeOptions | undefined, direction: Direction) {
  const { toClassOnly = false, toPlainOnly = false } = options ?? {};
  if (toClassOnly === toPlainOnly) return true;
  return direction === 'input' ? toClassOnly : toPlainOnly;
}

/** Without groups asked for, what names groups is left out, as class-transformer does. */
function sharesGroup(options: { groups?: string[] } | undefined, groups: readonly string[]) {
  const own = options?.groups ?? [];
  if (groups.length === 0) return own.length === 0;
  return options?.groups === undefined || own.some((group) => groups.includes(group));
}
