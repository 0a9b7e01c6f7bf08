import type { ErrorObject } from 'ajv';
import type { ArgumentIssue, JsonSchema } from '../../tool';
import { numberInWords, pointer } from '../json-schema';

/** More issues do not help a model to correct its call. */
const MAX_ISSUES = 20;

/** The most allowed values in a message; the schema has all of them. */
const MAX_VALUES = 100;

/** For longer patterns, the message uses the description instead. */
const MAX_PATTERN = 60;

/** ajv's errors as issues for the model, each with a pointer to the refused value. */
export function schemaIssues(errors: readonly ErrorObject[]): readonly ArgumentIssue[] {
  const issues = new Map<string, ArgumentIssue>();
  const demands = errors.filter(({ keyword }) => keyword === 'contains');
  for (const error of errors) {
    // Reported by the error of `propertyNames` itself.
    if (error.propertyName !== undefined) continue;
    // Errors of single members do not matter for `contains`.
    if (demands.some(({ schemaPath }) => error.schemaPath.startsWith(`${schemaPath}/`))) continue;
    const issue = issueOf(error);
    issues.set(`${issue.path} ${issue.message}`, issue);
    if (issues.size === MAX_ISSUES) break;
  }
  return [...issues.values()];
}

/** Where an error is about a property: the parameter that names it. */
const NAMED: ReadonlyMap<string, string> = new Map([
  ['required', 'missingProperty'],
  ['additionalProperties', 'additionalProperty'],
  ['unevaluatedProperties', 'unevaluatedProperty'],
  ['propertyNames', 'propertyName'],
]);

function issueOf(error: ErrorObject): ArgumentIssue {
  const { keyword, instancePath } = error;
  const params = error.params as Readonly<Record<string, unknown>>;
  const named = NAMED.get(keyword);
  const path = named === undefined ? instancePath : pointer(instancePath, String(params[named]));
  return { path, message: messageOf(error, params) };
}

function messageOf(
  { keyword, message = 'is not valid', schema, parentSchema }: ErrorObject,
  { allowedValues, allowedValue, type }: Readonly<Record<string, unknown>>,
): string {
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
    case 'unevaluatedProperties':
    case 'propertyNames':
      return 'is not a known argument';
    case 'enum':
      return `must be one of ${listed(allowedValues as readonly unknown[])}`;
    case 'const':
      return `must be ${JSON.stringify(allowedValue)}`;
    case 'type':
      return `must be ${typeNames(type)}`;
    case 'pattern':
    case 'not':
      return wordsFor(keyword, parentSchema as JsonSchema) ?? refusal(keyword, schema) ?? message;
    case 'contains':
      return demand(schema as JsonSchema) ?? message;
    default:
      return message;
  }
}

/** Words for a pattern that is hard to read. */
function wordsFor(keyword: string, schema: JsonSchema): string | undefined {
  const number = keyword === 'pattern' ? numberInWords(schema) : undefined;
  if (number !== undefined) return `must be ${number}`;
  const { pattern, description, examples } = schema;
  if (typeof pattern !== 'string' || pattern.length <= MAX_PATTERN) return undefined;
  if (description === undefined) return undefined;
  const example: unknown = Array.isArray(examples) ? examples[0] : undefined;
  return `must be: ${description}${example === undefined ? '' : `, such as ${JSON.stringify(example)}`}`;
}

/** Words for a simple `not`. */
function refusal(keyword: string, schema: unknown): string | undefined {
  if (keyword !== 'not') return undefined;
  const { enum: values, type, pattern, contains } = schema as JsonSchema;
  if (values) return `must not be ${listed(values)}`;
  if (type !== undefined) return `must not be ${typeNames(type)}`;
  if (pattern !== undefined) return `must not match pattern ${JSON.stringify(pattern)}`;
  const members = (contains as JsonSchema | undefined)?.enum;
  return members && `must not contain ${listed(members)}`;
}

function demand({ enum: values, const: only }: JsonSchema): string | undefined {
  if (values) return `must contain ${listed(values)}`;
  return only === undefined ? undefined : `must contain ${JSON.stringify(only)}`;
}

function listed(values: readonly unknown[]): string {
  const shown = values.slice(0, MAX_VALUES).map((value) => JSON.stringify(value));
  return [...shown, ...(values.length > MAX_VALUES ? ['…'] : [])].join(', ');
}

function typeNames(type: unknown): string {
  const types = Array.isArray(type) ? type : String(type).split(',');
  return types.join(' or ');
}
