import { ValidationPipe } from '@nestjs/common';
import type { ClassConstructor } from 'class-transformer';
import { isA, withFallback } from '../../internal';
import { propertiesOf, type PropertyFacts } from '../from-class';
import { type AnyClass, isClass, type ValidationRule } from '../metadata';
import { demandsArray, demandsDate, ruleOf } from '../rules';

/**
 * What becomes of a field's text: rules for numbers, booleans, dates or lists refuse it, or the text `false`
 * becomes `true`.
 */
export type TextProblem = 'number' | 'boolean' | 'date' | 'list' | 'false';

/** The settings of a `ValidationPipe`, as it stores them. */
interface CheckingPipe {
  readonly expectedType?: unknown;
  readonly isTransformEnabled?: boolean;
  readonly transformOptions?: object;
  readonly validatorOptions?: { readonly groups?: readonly string[] };
}

/**
 * The fields of a class that arrive as text, as those of a query do, and that a `ValidationPipe` therefore refuses or
 * reads wrongly. Fields with a `@Transform` are taken to be right: it is code of the application, which is not run.
 *
 * @param type the class; other types have no fields
 * @param pipes the pipes that a value passes, in Nest's order
 */
export function textProblemsOf(
  type: unknown,
  pipes: readonly unknown[],
): ReadonlyMap<string, TextProblem> {
  const problems = new Map<string, TextProblem>();
  for (const pipe of pipes) {
    const settings = settingsOf(pipe);
    if (settings === undefined) break;
    const checked = settings.expectedType ?? type;
    if (!isClass(checked)) continue;
    for (const facts of propertiesOf(checked, 'input', settings.validatorOptions)) {
      const problem = problemOf(checked, facts, settings.transformOptions);
      if (problem !== undefined) problems.set(facts.transform.name, problem);
    }
    // Later pipes get its instance.
    if (settings.isTransformEnabled === true) break;
  }
  return problems;
}

/** Whether pipes only check and convert by class-validator and class-transformer. */
export function areOnlyChecks(pipes: readonly unknown[]): boolean {
  return pipes.every((pipe) => settingsOf(pipe) !== undefined);
}

/** `undefined` for other pipes, which may do anything: also for those of a class of the application's. */
function settingsOf(pipe: unknown): CheckingPipe | undefined {
  if (!isA(pipe, ValidationPipe)) return undefined;
  if (pipe === ValidationPipe) return {};
  const { transform } = pipe as { readonly transform?: unknown };
  const isOwn =
    transform !== (ValidationPipe.prototype as { readonly transform: unknown }).transform;
  return isOwn ? undefined : (pipe as CheckingPipe);
}

function problemOf(
  type: AnyClass,
  { property, rules, transform }: PropertyFacts,
  options: object | undefined,
): TextProblem | undefined {
  if (transform.isTransformed || rules.some(isUncertain)) return undefined;
  const read = (value: unknown): unknown =>
    converted(type, { [transform.name]: value }, options)?.[property];
  const member = ({ each }: ValidationRule, text: string): unknown =>
    each ? [read([text])].flat()[0] : read(text);
  const number = rules.find((rule) => demands(rule, 'number', 'integer'));
  if (number !== undefined && typeof member(number, '1') === 'string') return 'number';
  const boolean = rules.find((rule) => demands(rule, 'boolean'));
  const value = boolean && member(boolean, 'false');
  if (typeof value === 'string') return 'boolean';
  if (value === true) return 'false';
  const date = rules.find(({ name }) => demandsDate(name));
  if (date !== undefined && typeof member(date, '2024-05-01') === 'string') return 'date';
  const list = rules.find(({ name, each }) => !each && demandsArray(name));
  return list !== undefined && typeof read('1') === 'string' ? 'list' : undefined;
}

/** Whether a rule accepts one type alone, also as one of some values, as `@IsIn([1, 2])` does. */
function demands({ name, constraints }: ValidationRule, ...types: readonly string[]): boolean {
  const type = ruleOf(name, constraints)?.type;
  return typeof type === 'string' && types.includes(type);
}

/** Whether other rules of the field count only under a condition. */
function isUncertain({ kind, name, isConditional }: ValidationRule): boolean {
  return isConditional || (kind === 'conditionalValidation' && name !== 'isOptional');
}

/** `undefined` for a class that cannot be made without more fields. */
function converted(
  type: AnyClass,
  value: object,
  options: object | undefined,
): Readonly<Record<string, unknown>> | undefined {
  const { plainToInstance } = require('class-transformer') as typeof import('class-transformer');
  return withFallback(
    () => plainToInstance(type as ClassConstructor<Record<string, unknown>>, value, options),
    undefined,
  );
}

/** Whether a `@Transform` converts a field of a class. */
export function isTransformed(type: unknown, name: string): boolean {
  return (
    isClass(type) &&
    propertiesOf(type, 'input').some(
      ({ transform }) => transform.name === name && transform.isTransformed,
    )
  );
}
