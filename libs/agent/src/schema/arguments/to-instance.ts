import type { ClassConstructor } from 'class-transformer';
import type { ValidationError } from 'class-validator';
import { type ArgumentIssue, InvalidArgumentsError } from '../../tool';
import { instancePlanOf, mend } from './instance-plan';
import { isClass, transformRulesOf } from '../metadata';
import { pointer } from '../json-schema';
import {
  DescribedType,
  isSchemaType,
  standardSchemaOf,
  type StandardSchemaV1,
} from '../from-class';
import { describedValue } from './described-value';

interface InstanceOptions {
  /** class-validator and class-transformer groups. */
  readonly groups?: readonly string[];
  /** JSON pointer to the value, for error messages. */
  readonly path?: string;
}

/**
 * Converts a JSON value to a method's parameter type: an instance of its class with all nested
 * instances, validated by the class's own rules, or the output of a Standard Schema.
 *
 * @param type a class, a primitive's constructor, a Standard Schema, or an array of one for a list;
 *   any other type leaves the value unchanged
 * @throws InvalidArgumentsError listing every problem with its JSON pointer
 */
export async function toInstance(
  type: unknown,
  value: unknown,
  options: InstanceOptions = {},
): Promise<unknown> {
  if (value === undefined || value === null) return value;
  const standard = standardSchemaOf(type);
  if (standard) return parsed(standard, value, options.path ?? '');
  if (type instanceof DescribedType) return rebuilt(type, value, options);
  if (Array.isArray(type)) {
    if (!Array.isArray(value)) return value;
    const path = options.path ?? '';
    return Promise.all(
      value.map((item, index) =>
        toInstance((type as unknown[])[0], item, { ...options, path: pointer(path, index) }),
      ),
    );
  }
  switch (type) {
    case undefined:
    case String:
    case Number:
    case Boolean:
    case Object:
    case Array:
      return value;
    case Date:
      return dateOf(value, options.path ?? '');
    case BigInt:
      return BigInt(value as string | number);
    case Set:
      return new Set(value as Iterable<unknown>);
    case Map:
      return new Map(Object.entries(value));
    default:
      return isSchemaType(type)
        ? instantiate(type as ClassConstructor<object>, value, options)
        : value;
  }
}

async function rebuilt(
  type: DescribedType,
  value: unknown,
  { groups, path = '' }: InstanceOptions,
): Promise<unknown> {
  const walking = describedValue(type, value, path);
  let step = walking.next();
  while (!step.done) {
    const { type: inner, value: sent, path: at } = step.value;
    step = walking.next(await toInstance(inner, sent, { ...(groups && { groups }), path: at }));
  }
  return step.value;
}

async function parsed(schema: StandardSchemaV1, value: unknown, path: string): Promise<unknown> {
  const result = await schema['~standard'].validate(value);
  if (result.issues === undefined) return result.value;
  throw new InvalidArgumentsError(
    result.issues.map((issue) => ({
      path: (issue.path ?? []).reduce<string>(
        (at, step) => pointer(at, typeof step === 'object' ? step.key : step),
        path,
      ),
      message: issue.message,
    })),
  );
}

function dateOf(value: unknown, path: string): Date {
  const date = new Date(value as string | number);
  if (Number.isNaN(date.getTime()))
    throw new InvalidArgumentsError([{ path, message: 'must be a date' }]);
  return date;
}

async function instantiate(
  type: ClassConstructor<object>,
  value: unknown,
  { groups = [], path = '' }: InstanceOptions,
): Promise<unknown> {
  const { plainToInstance } = require('class-transformer') as typeof import('class-transformer');
  const { validateInstance } =
    require('./validate-instance') as typeof import('./validate-instance');
  const plan = instancePlanOf(type);
  let instance: object;
  let checking: Promise<readonly ValidationError[]>;
  try {
    // Copied first: class-transformer removes the discriminator from its input.
    instance = plainToInstance<object, unknown>(type, copied(value), {
      ...(groups.length > 0 && { groups: [...groups] }),
      targetMaps: plan.targetMaps,
      exposeDefaultValues: true,
    });
    if (plan.repairs.size > 0) mend(instance, plan.repairs);
    checking = validateInstance(instance, {
      ...(groups.length > 0 && { groups: [...groups] }),
      forbidUnknownValues: false,
      validationError: { target: true, value: false },
    });
  } catch {
    throw new InvalidArgumentsError([
      { path, message: `cannot be read as ${type.name || 'the type wanted'}` },
    ]);
  }
  const issues = [...issuesOf(await checking, path, groups)];
  if (issues.length === 0 && plan.hasDates) issues.push(...invalidDates(instance, path, groups));
  if (issues.length > 0) throw new InvalidArgumentsError(issues);
  return instance;
}

function* issuesOf(
  errors: readonly ValidationError[],
  path: string,
  groups: readonly string[],
): Generator<ArgumentIssue> {
  for (const error of errors) {
    const at = pointer(path, wireName(error, groups));
    for (const message of Object.values(error.constraints ?? {})) yield { path: at, message };
    yield* issuesOf(error.children ?? [], at, groups);
  }
}

/** Invalid dates: without a rule, class-validator does not report them. */
function* invalidDates(
  value: unknown,
  path: string,
  groups: readonly string[],
): Generator<ArgumentIssue> {
  if (value instanceof Date && Number.isNaN(value.getTime()))
    yield { path, message: 'must be a date' };
  if (typeof value !== 'object' || value === null) return;
  const members =
    value instanceof Map || value instanceof Set ? value.entries() : Object.entries(value);
  for (const [key, member] of members) {
    const name = wireName({ target: value, property: String(key) }, groups);
    yield* invalidDates(member, pointer(path, name), groups);
  }
}

/** The property's name on the wire, which the model knows. */
function wireName(
  { target, property }: Pick<ValidationError, 'target' | 'property'>,
  groups: readonly string[],
): string {
  const type: unknown = target?.constructor;
  if (!isClass(type) || Array.isArray(target) || target instanceof Map || target instanceof Set)
    return property;
  return transformRulesOf(type, property, 'input', groups).name;
}

function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copied);
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) copy[key] = copied(member);
  return copy;
}
