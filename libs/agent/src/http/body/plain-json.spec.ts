import type { JsonValue } from '../../message';
import { plainJsonIssue } from './plain-json';

const nested = (levels: number): JsonValue =>
  JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`) as JsonValue;

describe('plainJsonIssue', () => {
  it.each([
    ['a deep list', nested(64)],
    ['names of other members of a prototype', { constructor: { prototype: 1 }, toString: null }],
  ])('has none of %s', (_, value) => {
    expect(plainJsonIssue(value)).toBeUndefined();
  });

  it.each([
    ['a list that is too deep', nested(65), 'The body is nested more than 64 levels deep.'],
    ['a number that is too large', '{"a":[1e999]}', 'The body has a number that is too large.'],
    ['a key', '{"a":[{"__proto__":{}}]}', 'The key "__proto__" is not allowed.'],
  ])('names %s, at any depth', (_, value, issue) => {
    const body = typeof value === 'string' ? (JSON.parse(value) as JsonValue) : value;
    expect(plainJsonIssue(body)).toBe(issue);
  });
});
