import type { ErrorObject } from 'ajv';
import type { ArgumentIssue } from '../tool';
import { pointer } from './json-pointer';

/** More would not help a model to mend its call. */
const MAX_ISSUES = 20;

/** The allowed values that a message lists; the schema has them all. */
const MAX_VALUES = 100;

/** ajv's errors as a model can act on them: each with the pointer to what is wrong. */
export function schemaIssues(errors: readonly ErrorObject[]): readonly ArgumentIssue[] {
  const issues = new Map<string, ArgumentIssue>();
  for (const error of errors) {
    // What is wrong with a name is said where the name is.
    if (error.propertyName !== undefined) continue;
    const issue = issueOf(error);
    issues.set(`${issue.path} ${issue.message}`, issue);
    if (issues.size === MAX_ISSUES) break;
  }
  return [...issues.values()];
}

function issueOf({ keyword, instancePath, params, message }: ErrorObject): ArgumentIssue {
  const detail = params as Readonly<Record<string, unknown>>;
  switch (keyword) {
    case 'required':
      return {
        path: pointer(instancePath, String(detail.missingProperty)),
        message: 'is required',
      };
    case 'additionalProperties':
      return {
        path: pointer(instancePath, String(detail.additionalProperty)),
        message: 'is not a known argument',
      };
    case 'unevaluatedProperties':
      return {
        path: pointer(instancePath, String(detail.unevaluatedProperty)),
        message: 'is not a known argument',
      };
    case 'propertyNames':
      return {
        path: pointer(instancePath, String(detail.propertyName)),
        message: 'is not a known argument',
      };
    case 'enum':
      return {
        path: instancePath,
        message: `must be one of ${listed(detail.allowedValues as readonly unknown[])}`,
      };
    case 'const':
      return { path: instancePath, message: `must be ${JSON.stringify(detail.allowedValue)}` };
    case 'type':
      return { path: instancePath, message: `must be ${typeNames(detail.type)}` };
    default:
      return { path: instancePath, message: message ?? 'is not valid' };
  }
}

function listed(values: readonly unknown[]): string {
  const shown = values.slice(0, MAX_VALUES).map((value) => JSON.stringify(value));
  return [...shown, ...(values.length > MAX_VALUES ? ['…'] : [])].join(', ');
}

function typeNames(type: unknown): string {
  const types = Array.isArray(type) ? type : String(type).split(',');
  return types.join(' or ');
}
