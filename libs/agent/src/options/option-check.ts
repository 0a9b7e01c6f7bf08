/**
 * Says what is wrong with an option's value, each problem beginning with the option's name; nothing
 * of a good one. Most values are told by their kind alone, for they may be secrets.
 */
export type OptionCheck = (value: unknown, name: string) => readonly string[];

/** A check for every option of a type, so that the compiler misses none. */
export type OptionChecks<T> = { readonly [Key in keyof T]-?: OptionCheck };

/** A value that fits; `what` says in the message which one would. */
export function ofKind(what: string, fits: (value: unknown) => boolean): OptionCheck {
  return (value, name) => (fits(value) ? [] : [`${name} has to be ${what}, not ${kindOf(value)}`]);
}

export const anything: OptionCheck = () => [];
export const text = ofKind('a text', (value) => typeof value === 'string' && value !== '');
export const flag = ofKind('true or false', (value) => typeof value === 'boolean');
export const aFunction = ofKind('a function', (value) => typeof value === 'function');
export const aClass = ofKind('a class', isClass);
export const anObject = ofKind('an object', isObject);
export const positive = ofKind('a number above 0', (value) => isNumber(value) && value > 0);
export const notNegative = ofKind('a number, 0 or more', (value) => isNumber(value) && value >= 0);
/** `Infinity` stands for no bound. */
export const count = ofKind(
  'a whole number above 0',
  (value) => isNumber(value) && value > 0 && (Number.isInteger(value) || value === Infinity),
);

/** One of these words. A wrong one is told, since nothing else shows a misspelling. */
export function oneOf(...words: readonly string[]): OptionCheck {
  const [last, ...others] = words.map((word) => `"${word}"`).reverse();
  const what = `${others.reverse().join(', ')} or ${last}`;
  return (value, name) => {
    if (words.includes(value as string)) return [];
    const found = typeof value === 'string' ? `"${value}"` : kindOf(value);
    return [`${name} has to be ${what}, not ${found}`];
  };
}

/** Passes what fits, and leaves the rest to another check. */
export function either(fits: (value: unknown) => boolean, otherwise: OptionCheck): OptionCheck {
  return (value, name) => (fits(value) ? [] : otherwise(value, name));
}

export const falseOr = (check: OptionCheck): OptionCheck =>
  either((value) => value === false, check);

export function listOf(check: OptionCheck): OptionCheck {
  return (value, name) =>
    Array.isArray(value)
      ? value.flatMap((item: unknown, index) => check(item, `${name}[${index}]`))
      : [`${name} has to be a list, not ${kindOf(value)}`];
}

export function recordOf(check: OptionCheck): OptionCheck {
  return (value, name) =>
    isObject(value)
      ? Object.entries(value).flatMap(([key, item]) => check(item, `${name}.${key}`))
      : [`${name} has to be an object, not ${kindOf(value)}`];
}

/** An object with these options and no others. One that is `undefined` was left out. */
export function optionsOf<T>(checks: OptionChecks<T>): OptionCheck {
  const known = new Map<string, OptionCheck>(Object.entries(checks));
  return (value, name) => {
    if (!isObject(value)) return [`${name} has to be an object, not ${kindOf(value)}`];
    return Object.entries(value).flatMap(([key, item]) => {
      const check = known.get(key);
      const path = `${name}.${key}`;
      if (check !== undefined) return item === undefined ? [] : check(item, path);
      return [`${path} is no option; ${name} has ${[...known.keys()].join(', ')}`];
    });
  };
}

/** An object with all these methods, or a class that Nest makes one of. */
export function instanceOf(what: string, ...methods: readonly string[]): OptionCheck {
  return either(isClass, (value, name) => {
    const missing = isObject(value)
      ? methods.filter((method) => typeof value[method] !== 'function')
      : methods;
    if (missing.length === 0) return [];
    const found = isObject(value) ? `an object without ${missing.join(', ')}` : kindOf(value);
    return [`${name} has to be ${what}, or a class of one, not ${found}`];
  });
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Arrow functions and methods cannot be constructed: they have no prototype. */
export function isClass(value: unknown): boolean {
  return typeof value === 'function' && isObject(value.prototype);
}

/** Whether it was written as a class: a decorator is a function too. */
export function isClassSyntax(value: unknown): boolean {
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
