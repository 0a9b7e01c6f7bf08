import * as ts from 'typescript';
import { escapeRegExp } from '../../internal';
import type { Template, TemplateValue } from './template';

/** A literal, or a text of which a part or the case is one; `undefined` for other types. */
export function literalOf(type: ts.Type): Template | undefined {
  const is = (flag: ts.TypeFlags): boolean => (type.flags & flag) !== 0;
  if (type.isStringLiteral()) return { type: 'string', enum: [type.value] };
  if (type.isNumberLiteral()) return { type: 'number', enum: [type.value] };
  if (is(ts.TypeFlags.BooleanLiteral)) return { type: 'boolean', enum: [isTrue(type)] };
  if (is(ts.TypeFlags.TemplateLiteral))
    return { type: 'string', pattern: templatePattern(type as ts.TemplateLiteralType) };
  if (is(ts.TypeFlags.StringMapping)) return { type: 'string', pattern: casePattern(type) };
  return undefined;
}

/** Several values of a union. */
interface LiteralTemplate extends Template {
  readonly enum: readonly TemplateValue[];
}

/** The members of a union that are literals, as one template; and the other members. */
export function splitLiterals(members: readonly ts.Type[]): {
  readonly literals: LiteralTemplate | undefined;
  readonly others: readonly ts.Type[];
} {
  const values: TemplateValue[] = [];
  const others: ts.Type[] = [];
  const types = new Set<string>();
  const has = (flag: ts.TypeFlags): boolean => members.some(({ flags }) => (flags & flag) !== 0);
  const booleans = members.filter(({ flags }) => (flags & ts.TypeFlags.BooleanLiteral) !== 0);
  for (const member of members) {
    const { flags } = member;
    // `'a' | string` takes any text.
    if ((flags & ts.TypeFlags.StringLiteral) !== 0 && has(ts.TypeFlags.String)) continue;
    if ((flags & ts.TypeFlags.NumberLiteral) !== 0 && has(ts.TypeFlags.Number)) continue;
    if (member.isStringLiteral() || member.isNumberLiteral()) {
      values.push(member.value);
      types.add(typeof member.value);
    } else if ((flags & ts.TypeFlags.BooleanLiteral) !== 0 && booleans.length === 1) {
      values.push(isTrue(member));
      types.add('boolean');
    } else if ((flags & ts.TypeFlags.BooleanLiteral) === 0) others.push(member);
  }
  const [type, ...more] = types;
  return {
    literals:
      type === undefined
        ? undefined
        : { type: more.length === 0 ? type : [type, ...more], enum: values },
    others,
  };
}

/** Whether a union has both booleans. */
export function hasBoth(members: readonly ts.Type[]): boolean {
  return members.filter(({ flags }) => (flags & ts.TypeFlags.BooleanLiteral) !== 0).length === 2;
}

function isTrue(type: ts.Type): boolean {
  return (type as unknown as { readonly intrinsicName?: string }).intrinsicName === 'true';
}

/** The expression that texts of a template literal type match. */
function templatePattern({ texts, types }: ts.TemplateLiteralType): string {
  const parts = texts.map((text, index) => {
    const type = types[index];
    return escapeRegExp(text) + (type ? placeholder(type) : '');
  });
  return `^${parts.join('')}$`;
}

/** A number as text. */
export const NUMBER_PATTERN = '-?\\d+(?:\\.\\d+)?';

/**
 * `Uppercase<string>` and the like: letters beyond ASCII are not checked, since their rules differ.
 */
const CASES: Readonly<Record<string, string>> = {
  Uppercase: '[^a-z]*',
  Lowercase: '[^A-Z]*',
  Capitalize: '(?:[^a-z][\\s\\S]*)?',
  Uncapitalize: '(?:[^A-Z][\\s\\S]*)?',
};

/** The expression that texts of a type such as `Uppercase<string>` match. */
function casePattern(type: ts.Type): string {
  return `^${placeholder(type)}$`;
}

function placeholder(type: ts.Type): string {
  if ((type.flags & ts.TypeFlags.StringMapping) !== 0)
    return CASES[type.getSymbol()?.name ?? ''] ?? '[\\s\\S]*';
  if ((type.flags & ts.TypeFlags.Number) !== 0) return NUMBER_PATTERN;
  if ((type.flags & ts.TypeFlags.BigInt) !== 0) return '-?\\d+';
  if (type.isUnion()) return `(?:${type.types.map(placeholder).join('|')})`;
  if (type.isStringLiteral() || type.isNumberLiteral()) return escapeRegExp(String(type.value));
  if ((type.flags & ts.TypeFlags.BooleanLiteral) !== 0) return String(isTrue(type));
  return '[\\s\\S]*';
}
