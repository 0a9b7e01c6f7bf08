import { chainOf } from '../../internal';
import type { AnyClass } from './class-type';
import type {
  ExcludeMetadata,
  ExcludeOptions,
  ExposeMetadata,
  ExposeOptions,
  TransformationType,
  TypeMetadata,
} from 'class-transformer';
import type { Direction } from '../json-schema';

type Storage = (typeof import('class-transformer/cjs/storage'))['defaultMetadataStorage'];

// Loaded for the first class, for an application may have none.
let loaded: Storage | undefined;
let transformations: Readonly<Record<Direction, TransformationType>> | undefined;

function metadataStorage(): Storage {
  loaded ??= storageInUse();
  return loaded;
}

/** The storage that decorators write to: in a bundle of webpack, that of the package's ES modules. */
function storageInUse(): Storage {
  const { Expose } = require('class-transformer') as typeof import('class-transformer');
  class Probe {}
  Expose()(Probe.prototype, 'probe');
  const { defaultMetadataStorage: storage } =
    require('class-transformer/cjs/storage') as typeof import('class-transformer/cjs/storage');
  if (storage.findExposeMetadata(Probe, 'probe')) return storage;
  return (
    require('class-transformer/esm5/storage') as typeof import('class-transformer/esm5/storage')
  ).defaultMetadataStorage;
}

function transformationOf(direction: Direction): TransformationType {
  if (transformations === undefined) {
    const { TransformationType: Kind } =
      require('class-transformer') as typeof import('class-transformer');
    transformations = { input: Kind.PLAIN_TO_CLASS, output: Kind.CLASS_TO_PLAIN };
  }
  return transformations[direction];
}

/** The class-transformer rules of a property in one direction. */
export interface TransformRules {
  /** The name on the wire. */
  readonly name: string;
  readonly isHidden: boolean;
  /** A `@Transform` converts the value. */
  readonly isTransformed: boolean;
  readonly type?: TypeMetadata;
}

/** The properties that class-transformer knows of a class by name. */
export function transformedProperties(type: AnyClass): readonly string[] {
  const storage = metadataStorage();
  const { _typeMetadatas, _exposeMetadatas, _excludeMetadatas } = storage;
  const names: string[] = [];
  // Properties with `@Type` alone: the storage has no method for them, so its map is read.
  for (const one of chainOf(type)) names.unshift(...(_typeMetadatas?.get(one)?.keys() ?? []));
  if (knows(_exposeMetadatas, type)) names.push(...named(storage.getExposedMetadatas(type)));
  if (knows(_excludeMetadatas, type)) names.push(...named(storage.getExcludedMetadatas(type)));
  return names;
}

/** Whether `@Exclude` leaves single properties out of a class, so that it has others without a decorator. */
export function excludesSome(type: AnyClass): boolean {
  const storage = metadataStorage();
  return (
    knows(storage._excludeMetadatas, type) &&
    storage.getStrategy(type) !== 'excludeAll' &&
    named(storage.getExcludedMetadatas(type)).length > 0
  );
}

/**
 * The type that `@Type` names, for a list its members' type; `undefined` if the type depends on the
 * value, as for generic classes.
 */
export function namedType({ typeFunction, propertyName }: TypeMetadata): unknown {
  let isByValue = false;
  const asked = (): Record<string, unknown> => {
    isByValue = true;
    return {};
  };
  const help = {
    property: propertyName,
    get newObject() {
      return asked();
    },
    get object() {
      return asked();
    },
  };
  let type: unknown;
  try {
    type = typeFunction?.(help);
  } catch (error) {
    if (!isByValue) throw error;
  }
  if (isByValue) return undefined;
  const one: unknown = Array.isArray(type) ? (type as unknown[])[0] : type;
  // `@Type(() => Array)` does not name the members' type.
  return one === Array ? undefined : one;
}

/** `transformRulesOf` for all properties of one class, with fewer lookups. */
export function transformReaderOf(
  type: AnyClass,
  direction: Direction,
  groups: readonly string[],
): (property: string) => TransformRules {
  const storage = metadataStorage();
  const { _typeMetadatas, _exposeMetadatas, _excludeMetadatas, _transformMetadatas } = storage;
  if (
    knows(_exposeMetadatas, type) ||
    knows(_excludeMetadatas, type) ||
    transforms(_transformMetadatas, type)
  )
    return (property) => transformRulesOf(type, property, direction, groups);
  if (!knows(_typeMetadatas, type)) return untouched;
  return (property) => {
    const typed = storage.findTypeMetadata(type, property);
    return typed ? { ...untouched(property), type: typed } : untouched(property);
  };
}

function named(metadatas: readonly (ExposeMetadata | ExcludeMetadata)[]): readonly string[] {
  return metadatas.flatMap(({ propertyName }) => propertyName ?? []);
}

/** Whether a map holds the class or an ancestor; for most DTOs it does not. */
function knows(byClass: ReadonlyMap<unknown, unknown> | undefined, type: AnyClass): boolean {
  for (const one of chainOf(type)) if (byClass?.has(one) !== false) return true;
  return false;
}

/** As `knows`, for transformations that are more than carriers. */
function transforms(byClass: Storage['_transformMetadatas'], type: AnyClass): boolean {
  for (const one of chainOf(type)) {
    for (const metadatas of byClass?.get(one)?.values() ?? []) {
      if (metadatas.some(({ transformFn }) => !carriers.has(transformFn))) return true;
    }
  }
  return false;
}

/** The group of the transformations that carry data; no application asks for it. */
const CARRIERS = 'nestjs-agent:carriers';
const carriers = new WeakMap<object, object>();

/**
 * Attaches data to a property so that mapped types such as `PartialType` copy it: they copy metadata that
 * class-transformer has registered, so the data is attached to a transformation that never applies.
 */
export function carry(prototype: object, property: string, data: object): void {
  const { Transform } = require('class-transformer') as typeof import('class-transformer');
  const unchanged = ({ value }: { value: unknown }): unknown => value;
  carriers.set(unchanged, data);
  Transform(unchanged, { groups: [CARRIERS] })(prototype, property);
}

/** The data attached to the properties of a class itself, without those of its ancestors. */
export function carriedBy(type: unknown): ReadonlyMap<string, object> {
  const found = new Map<string, object>();
  for (const [property, metadatas] of metadataStorage()._transformMetadatas?.get(type) ?? []) {
    for (const { transformFn } of metadatas) {
      const data = carriers.get(transformFn);
      if (data) found.set(property, data);
    }
  }
  return found;
}

function untouched(property: string): TransformRules {
  return { name: property, isHidden: false, isTransformed: false };
}

export function transformRulesOf(
  type: AnyClass,
  property: string,
  direction: Direction,
  groups: readonly string[],
): TransformRules {
  const storage = metadataStorage();
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
    .findTransformMetadatas(type, property, transformationOf(direction))
    .some(({ options }) => sharesGroup(options, groups));
  return { name, isHidden, isTransformed, ...(typeMetadata && { type: typeMetadata }) };
}

function appliesTo(options: ExposeOptions | ExcludeOptions | undefined, direction: Direction) {
  const { toClassOnly = false, toPlainOnly = false } = options ?? {};
  if (toClassOnly === toPlainOnly) return true;
  return direction === 'input' ? toClassOnly : toPlainOnly;
}

/** Without requested groups, rules with groups are skipped, as in class-transformer. */
function sharesGroup(options: { groups?: string[] } | undefined, groups: readonly string[]) {
  const own = options?.groups ?? [];
  if (groups.length === 0) return own.length === 0;
  return options?.groups === undefined || own.some((group) => groups.includes(group));
}
