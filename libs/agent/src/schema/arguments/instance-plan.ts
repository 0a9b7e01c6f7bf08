import { oncePer } from '../../internal';
import { type AnyClass, isClass, namedType, type ValidationRule } from '../metadata';
import type { TargetMap } from 'class-transformer';
import {
  apiType,
  builtinSchema,
  convertedType,
  converts,
  DescribedType,
  isDecorated,
  propertiesOf,
  type PropertyFacts,
  ruleSchema,
} from '../from-class';
import { demandsArray } from '../rules';
import { describedValue, type TypedValue } from './described-value';

/** Converts a member's JSON value that class-transformer leaves unchanged. */
type Repair = (value: unknown) => unknown;

/** Instructions for class-transformer about a class and all classes that it reaches. */
interface InstancePlan {
  /** Types that the compiler emitted, of properties without `@Type`. */
  readonly targetMaps: TargetMap[];
  readonly repairs: ReadonlyMap<unknown, ReadonlyMap<string, Repair>>;
  /** Text becomes a date somewhere, and may be an invalid one. */
  readonly hasDates: boolean;
}

const REPAIRS: ReadonlyMap<unknown, Repair> = new Map<unknown, Repair>([
  [BigInt, bigints],
  [Set, (value) => (Array.isArray(value) ? new Set(value) : value)],
  [
    Map,
    (value) =>
      typeof value === 'object' && value !== null && !(value instanceof Map)
        ? new Map(Object.entries(value))
        : value,
  ],
]);

/** Types that class-transformer does not convert to, even with `@Type`. */
const REPAIRED_DESPITE_TYPE: ReadonlySet<unknown> = new Set([BigInt, Map]);

// Decorators do not change once a class is defined.
export const instancePlanOf = oncePer(makePlan);

function makePlan(root: AnyClass): InstancePlan {
  const targetMaps: TargetMap[] = [];
  const repairs = new Map<unknown, Map<string, Repair>>();
  const seen = new Set<AnyClass>();
  let hasDates = false;
  const visit = (type: AnyClass): void => {
    if (seen.has(type) || builtinSchema(type, 'output', '') !== undefined) return;
    seen.add(type);
    const properties: Record<string, AnyClass> = {};
    const mended = new Map<string, Repair>();
    for (const facts of propertiesOf(type, 'input')) {
      const { transform, property } = facts;
      for (const subType of transform.type?.options?.discriminator?.subTypes ?? [])
        visit(subType.value);
      const typed = typedBy(facts);
      if (typed !== undefined) visit(typed);
      if (transform.isTransformed) continue;
      const implied = impliedType(facts);
      if ((typed ?? implied) === Date) hasDates = true;
      const repair = REPAIRS.get(typed ?? implied) ?? describedRepair(facts);
      if (repair && (typed === undefined || REPAIRED_DESPITE_TYPE.has(typed)))
        mended.set(property, repair);
      else if (typed === undefined && implied !== undefined) {
        properties[property] = implied;
        visit(implied);
      }
    }
    if (Object.keys(properties).length > 0) targetMaps.push({ target: type, properties });
    if (mended.size > 0) repairs.set(type, mended);
  };
  visit(root);
  return { targetMaps, repairs, hasDates };
}

function typedBy({ transform }: PropertyFacts): AnyClass | undefined {
  const type = transform.type && namedType(transform.type);
  return isClass(type) ? type : undefined;
}

/** The class, or the built-in type above, of a property without `@Type`. */
function impliedType({ designType, api, rules, described }: PropertyFacts): AnyClass | undefined {
  const named = apiType(api).type;
  for (const type of [designType, named, convertedType(described?.type)]) {
    if (!isClass(type) || isAboutJson(type, rules)) continue;
    if (type === Date || REPAIRS.has(type)) return type;
    if (builtinSchema(type, 'output', '') === undefined) return type;
  }
  return undefined;
}

/** Converts values of a described type that no single class or built-in type represents. */
function describedRepair(facts: PropertyFacts): Repair | undefined {
  const template = facts.described?.type;
  if (template === undefined || isDecorated(facts) || !converts(template)) return undefined;
  if (convertedType(template) !== undefined) return undefined;
  const described = new DescribedType(template);
  return (value) => {
    const walking = describedValue(described, value, '');
    let step = walking.next();
    while (!step.done) step = walking.next(converted(step.value));
    return step.value;
  };
}

function converted({ type, value }: TypedValue): unknown {
  if (type === Date) return new Date(value as string | number);
  if (type === BIG_INT) return bigints(value);
  const { plainToInstance } = require('class-transformer') as typeof import('class-transformer');
  return plainToInstance(type as new () => object, value);
}

/** Whether rules accept the JSON value and not the converted one: `@IsDateString() at: Date`. */
function isAboutJson(type: AnyClass, rules: readonly ValidationRule[]): boolean {
  const whole = rules.filter(({ each }) => !each);
  if (type === Set) return whole.some(({ name }) => demandsArray(name));
  if (type === Map) return whole.some(({ name }) => name === 'isNotEmptyObject');
  return (type === Date || type === BIG_INT) && ruleSchema(whole).type !== undefined;
}

const BIG_INT: unknown = BigInt;

/** Converts to bigint, in lists, sets and maps too. */
function bigints(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bigints);
  if (value instanceof Set) return new Set([...value].map(bigints));
  if (value instanceof Map)
    return new Map([...value].map(([key, member]) => [key, bigints(member)]));
  return typeof value === 'string' || typeof value === 'number' ? BigInt(value) : value;
}

/** Applies the repairs throughout an instance. */
export function mend(value: unknown, repairs: InstancePlan['repairs']): void {
  if (typeof value !== 'object' || value === null) return;
  const members: Iterable<unknown> =
    value instanceof Map || value instanceof Set ? value.values() : Object.values(value);
  for (const member of members) mend(member, repairs);
  for (const [property, repair] of repairs.get(value.constructor) ?? []) {
    const instance = value as Record<string, unknown>;
    if (instance[property] !== undefined && instance[property] !== null)
      instance[property] = repair(instance[property]);
  }
}
