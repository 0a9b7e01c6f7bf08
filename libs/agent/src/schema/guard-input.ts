import type { ArgumentIssue } from '../tool';
import { pointer } from './json-pointer';

/** The deepest nesting that arguments may have. */
export const MAX_DEPTH = 32;
/** The most bytes of JSON (UTF-8) that arguments may take. */
export const MAX_BYTES = 256 * 1024;

const REFUSED_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * What is wrong with a value before any schema is asked: too deep, too large, a key that could
 * reach a prototype, or something that is no JSON. It never throws and never recurses without bound.
 */
export function guardInput(input: unknown): readonly ArgumentIssue[] {
  const issues: ArgumentIssue[] = [];
  const budget = { bytes: MAX_BYTES };
  inspect(input, '', 1, budget, issues);
  if (budget.bytes < 0)
    return [{ path: '', message: `are larger than ${MAX_BYTES} bytes of JSON` }];
  return issues;
}

function inspect(
  value: unknown,
  path: string,
  depth: number,
  budget: { bytes: number },
  issues: ArgumentIssue[],
): void {
  if (budget.bytes < 0) return;
  switch (typeof value) {
    case 'string':
      budget.bytes -= jsonBytes(value);
      return;
    case 'number':
      budget.bytes -= 1;
      if (!Number.isFinite(value)) issues.push({ path, message: 'must be a finite number' });
      return;
    case 'boolean':
      budget.bytes -= 4;
      return;
    case 'object':
      break;
    default:
      // An `undefined` member is what JSON leaves out.
      if (value !== undefined || depth === 1) issues.push({ path, message: 'is not JSON' });
      return;
  }
  if (value === null) {
    budget.bytes -= 4;
    return;
  }
  if (depth > MAX_DEPTH) {
    issues.push({ path, message: `is nested deeper than ${MAX_DEPTH} levels` });
    return;
  }
  budget.bytes -= 2;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      if (budget.bytes < 0) return;
      budget.bytes -= 1;
      inspect(value[index], pointer(path, index), depth + 1, budget, issues);
    }
    return;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    issues.push({ path, message: 'is not a plain JSON object' });
    return;
  }
  for (const [key, member] of Object.entries(value)) {
    if (budget.bytes < 0) return;
    budget.bytes -= jsonBytes(key) + 2;
    if (REFUSED_KEYS.has(key)) {
      issues.push({ path: pointer(path, key), message: 'is not an allowed key' });
      continue;
    }
    inspect(member, pointer(path, key), depth + 1, budget, issues);
  }
}

function jsonBytes(text: string): number {
  return Buffer.byteLength(text) + 2;
}
