import { type ArgumentIssue, InvalidArgumentsError } from '../../tool';
import { pointer } from '../json-schema';
import { isJsonObject, type JsonObject } from '../../message';

/**
 * A model's arguments as an object. Empty text means `{}`.
 *
 * @throws InvalidArgumentsError if they are no JSON object, or exceed the bounds of `guardInput`
 */
export function parseArguments(input: JsonObject | string | undefined): JsonObject {
  const value = typeof input === 'string' ? parse(input) : (input ?? {});
  if (!isJsonObject(value))
    throw new InvalidArgumentsError([{ path: '', message: 'must be a JSON object' }]);
  const issues = guardInput(value);
  if (issues.length > 0) throw new InvalidArgumentsError(issues);
  return value;
}

function parse(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new InvalidArgumentsError([{ path: '', message: 'are not valid JSON' }]);
  }
}

/** The deepest nesting that arguments may have. */
export const MAX_DEPTH = 32;
/** The most bytes of JSON (UTF-8) that arguments may take. */
export const MAX_BYTES = 256 * 1024;

const REFUSED_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Problems of a value that no schema checks: its depth, its size, keys that could reach a
 * prototype, and values outside JSON. It never throws and never recurses without bound.
 */
export function guardInput(input: unknown): readonly ArgumentIssue[] {
  const inspection = new Inspection();
  inspection.inspect(input);
  return inspection.issues;
}

/** One walk through a value. The path becomes a pointer only for an issue. */
class Inspection {
  readonly issues: ArgumentIssue[] = [];
  private readonly path: (string | number)[] = [];
  private bytesLeft = MAX_BYTES;

  inspect(value: unknown): void {
    switch (typeof value) {
      case 'string':
        return this.spend(Buffer.byteLength(value) + 2);
      case 'number':
        this.spend(1);
        if (!Number.isFinite(value)) this.report('must be a finite number');
        return;
      case 'boolean':
        return this.spend(4);
      case 'undefined':
        // JSON omits an `undefined` member.
        if (this.path.length === 0) this.report('is not JSON');
        return;
      case 'object':
        return value === null ? this.spend(4) : this.inspectMembers(value);
      default:
        this.report('is not JSON');
    }
  }

  private inspectMembers(value: object): void {
    if (this.path.length >= MAX_DEPTH)
      return this.report(`is nested deeper than ${MAX_DEPTH} levels`);
    this.spend(2);
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length && this.bytesLeft >= 0; index++) {
        this.spend(1);
        this.step(index, value[index]);
      }
      return;
    }
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null)
      return this.report('is not a plain JSON object');
    for (const [key, member] of Object.entries(value)) {
      if (this.bytesLeft < 0) return;
      this.spend(Buffer.byteLength(key) + 4);
      if (REFUSED_KEYS.has(key)) {
        this.path.push(key);
        this.report('is not an allowed key');
        this.path.pop();
      } else this.step(key, member);
    }
  }

  private step(key: string | number, member: unknown): void {
    this.path.push(key);
    this.inspect(member);
    this.path.pop();
  }

  private spend(bytes: number): void {
    if (this.bytesLeft < 0) return;
    this.bytesLeft -= bytes;
    if (this.bytesLeft >= 0) return;
    this.issues.length = 0;
    this.issues.push({ path: '', message: `larger than ${MAX_BYTES} bytes of JSON` });
  }

  private report(message: string): void {
    if (this.bytesLeft < 0) return;
    this.issues.push({ path: this.path.reduce<string>(pointer, ''), message });
  }
}
