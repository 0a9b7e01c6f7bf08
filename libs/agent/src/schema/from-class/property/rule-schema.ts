import type { JsonSchema } from '../../../tool';
import { combine, without, withNote } from '../../json-schema';
import { constraintNameOf, defaultMessageOf, type ValidationRule } from '../../metadata';
import { ruleOf } from '../../rules';
import { refuses } from '../refused-value';

/** The rules of one value as JSON Schema, and in words where keywords cannot express them. */
export function ruleSchema(rules: readonly ValidationRule[]): JsonSchema {
  const keywords: JsonSchema[] = [];
  const notes: (string | undefined)[] = [];
  for (const rule of rules) {
    const said = ruleOf(rule.name, rule.constraints);
    notes.push(said ? said.description : customNote(rule));
    if (said && !rule.isConditional) keywords.push(finite(said));
    else if (said?.examples) keywords.push({ examples: said.examples });
  }
  return withNote(withoutRefused(without(combine(...keywords), 'description'), rules), ...notes);
}

/** Drops examples that the arguments of the rules exclude: another country's number, a longer text. */
function withoutRefused(schema: JsonSchema, rules: readonly ValidationRule[]): JsonSchema {
  if (!Array.isArray(schema.examples)) return schema;
  const fitting = schema.examples.filter((example) => !refuses(rules, example));
  return fitting.length > 0 ? { ...schema, examples: fitting } : without(schema, 'examples');
}

/** `@Max(Infinity)` sets no bound, and is no JSON. */
function finite(schema: JsonSchema): JsonSchema {
  const isBound = (value: unknown): boolean => typeof value !== 'number' || Number.isFinite(value);
  return Object.values(schema).every(isBound)
    ? schema
    : Object.fromEntries(Object.entries(schema).filter(([, value]) => isBound(value)));
}

/** The description of a custom decorator: its message if that is plain text, else its name and default message. */
function customNote(rule: ValidationRule): string | undefined {
  if (rule.kind === 'nestedValidation' || rule.kind === 'conditionalValidation') return undefined;
  if (typeof rule.message === 'string') return ofTheValue(rule.message, rule.constraints);
  const name = constraintNameOf(rule.constraint) ?? rule.name;
  const message = ofTheValue(defaultMessageOf(rule), rule.constraints);
  if (name === 'customValidation') return message === '' ? undefined : message;
  return message === '' ? `checked by ${name}` : `checked by ${name}: ${message}`;
}

/** The placeholders that class-validator knows, as words. */
function ofTheValue(message: string, constraints: readonly unknown[]): string {
  return message
    .replaceAll(/\$(?:property|value)\b/g, 'the value')
    .replaceAll(/\$constraint(\d+)/g, (placeholder, position: string) => {
      const constraint = constraints[Number(position) - 1];
      if (Array.isArray(constraint)) return constraint.join(', ');
      return typeof constraint === 'string' || typeof constraint === 'number'
        ? String(constraint)
        : placeholder;
    })
    .trim();
}
