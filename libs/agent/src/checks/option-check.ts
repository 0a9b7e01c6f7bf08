import * as v from 'valibot';
import { editDistance } from '../internal';

/** The check of one option's value. Its messages follow the option's path in a sentence. */
export type OptionCheck = v.GenericSchema<unknown, unknown>;

/** A check for every option of a type, so that the compiler misses none. */
export type OptionChecks<T> = { readonly [Key in keyof T]-?: OptionCheck };

/** The problems of a value, each beginning with the option's path; empty for a valid one. */
export function problemsOf(check: OptionCheck, value: unknown, name: string): readonly string[] {
  const { issues = [] } = v.safeParse(check, value);
  return issues.map(({ path = [], message }) => {
    const keys = path.map(({ key }) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`));
    return `${name}${keys.join('')} ${message}`;
  });
}

/** A check by a predicate; `what` names the valid values in the message. */
export function ofKind(what: string, fits: (value: unknown) => boolean): OptionCheck {
  return v.custom(fits, ({ input }) => mustBe(what, input));
}

export const anything: OptionCheck = v.unknown();
/** A text, perhaps an empty one. */
export const anyText = ofKind('a text', (value) => typeof value === 'string');
export const text = ofKind('a text', (value) => typeof value === 'string' && value !== '');
export const flag = ofKind('true or false', (value) => typeof value === 'boolean');
export const aFunction = ofKind('a function', isFunction);
export const aClass = ofKind('a class', isClass);
export const anObject = ofKind('an object', isObject);
export const positive = ofKind('a number above 0', (value) => isNumber(value) && value > 0);
export const notNegative = ofKind('a number, 0 or more', (value) => isNumber(value) && value >= 0);
/** `Infinity` stands for no bound. */
export const count = ofKind(
  'a whole number above 0',
  (value) => isNumber(value) && value > 0 && (Number.isInteger(value) || value === Infinity),
);

/** Segments of plain characters, and parameters such as `:tenant`; slashes around do not matter. */
export const aPath = ofKind(
  'a path, such as "agent" or ":tenant/agent", or false',
  (value) =>
    typeof value === 'string' &&
    value.split('/').every((segment) => /^(?::\w+|[\w.~-]*)$/.test(segment)),
);
/** A guard in place of `UseGuards(guard)` is a frequent mistake. */
export const aDecorator = ofKind(
  'a decorator, such as UseGuards(JwtAuthGuard)',
  (value) => typeof value === 'function' && !isClassSyntax(value),
);

/** One of these words. The message shows a wrong word, so that a misspelling is seen. */
export function oneOf(...words: readonly string[]): OptionCheck {
  const [last, ...others] = words.map((word) => `"${word}"`).reverse();
  const what = `${others.reverse().join(', ')} or ${last}`;
  return v.picklist(words, ({ input }) =>
    mustBe(what, input, typeof input === 'string' ? `"${input}"` : undefined),
  );
}

/** Accepts values that fit, and leaves all others to another check. */
export function either(fits: (value: unknown) => boolean, otherwise: OptionCheck): OptionCheck {
  return v.lazy((value) => (fits(value) ? anything : otherwise));
}

export const falseOr = (check: OptionCheck): OptionCheck =>
  either((value) => value === false, check);

/** A permission's word, or the function that chooses one. */
export const permission = either(isFunction, oneOf('allow', 'ask', 'deny'));

export function listOf(check: OptionCheck): OptionCheck {
  return v.array(check, ({ input }) => mustBe('a list', input));
}

export function recordOf(check: OptionCheck): OptionCheck {
  return v.pipe(anObject, v.record(v.string(), check));
}

/** An object with these options and no others; `undefined` counts as left out. */
export function optionsOf<T>(checks: OptionChecks<T>): OptionCheck {
  const entries = Object.entries<OptionCheck>(checks);
  const known = entries.map(([name]) => name);
  return v.pipe(
    anObject,
    v.metadata({ known }),
    v.looseObject(Object.fromEntries(entries.map(([name, check]) => [name, v.optional(check)]))),
    v.rawCheck(({ dataset, addIssue }) => {
      const input = Object(dataset.value) as Record<string, unknown>;
      for (const [key, value] of Object.entries(input)) {
        if (known.includes(key)) continue;
        addIssue({
          message: `is no option; ${hintFor(key, checks)}`,
          path: [{ type: 'object', origin: 'value', input, key, value }],
        });
      }
    }),
  );
}

/** An object with all these methods, or a class, which Nest instantiates. */
export function instanceOf(what: string, ...methods: readonly string[]): OptionCheck {
  const missingIn = (value: unknown): readonly string[] =>
    isObject(value) ? methods.filter((method) => typeof value[method] !== 'function') : methods;
  return either(
    isClass,
    v.custom(
      (value) => missingIn(value).length === 0,
      ({ input }) =>
        mustBe(
          `${what}, or a class of one`,
          input,
          isObject(input) ? `an object without ${missingIn(input).join(', ')}` : undefined,
        ),
    ),
  );
}

function hintFor(key: string, checks: Readonly<Record<string, OptionCheck>>): string {
  const known = Object.keys(checks);
  const owner = known.find((name) => knownOf(checks[name]).includes(key));
  const nearest = owner === undefined ? nearestOf(key, known) : `${owner}.${key}`;
  return nearest === undefined ? `there are ${known.join(', ')}` : `did you mean ${nearest}?`;
}

/** The names of an object's options; none for other checks. */
function knownOf(check: OptionCheck | undefined): readonly unknown[] {
  const known = check && v.getMetadata(check)['known'];
  return Array.isArray(known) ? known : [];
}

/** Names most values by their type alone, because they may be secrets. */
function mustBe(what: string, value: unknown, found = kindOf(value)): string {
  return `must be ${what}, not ${found}`;
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

export function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Arrow functions and methods cannot be constructed: they have no prototype. */
export function isClass(value: unknown): boolean {
  return typeof value === 'function' && isObject(value.prototype);
}

/** Whether a function is a class in its source; a decorator is a plain function. */
function isClassSyntax(value: unknown): boolean {
  return typeof value === 'function' && /^class\b/.test(String(value));
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (value === '') return 'an empty text';
  switch (typeof value) {
    case 'string':
      return 'a text';
    case 'function':
      return isClassSyntax(value) ? 'a class' : 'a function';
    case 'object':
      return value === null ? 'null' : 'an object';
    default:
      return String(value);
  }
}

/**
 * The probably intended name: one of the two names contains the other, or at most a third of
 * its letters differ.
 */
function nearestOf(written: string, names: readonly string[]): string | undefined {
  const wanted = written.toLowerCase();
  const ranked = names
    .map((name) => ({ name, distance: editDistance(wanted, name.toLowerCase()) }))
    .filter(
      ({ name, distance }) => distance <= name.length / 3 || isPart(wanted, name.toLowerCase()),
    )
    .sort((a, b) => a.distance - b.distance);
  return ranked[0]?.name;
}

function isPart(wanted: string, name: string): boolean {
  return (
    Math.min(wanted.length, name.length) > 3 && (name.includes(wanted) || wanted.includes(name))
  );
}
