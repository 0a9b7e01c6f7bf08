import type { ValidateFunction } from 'ajv';
import type { JsonValue } from '../../message';
import { type ArgumentIssue, InvalidArgumentsError, type JsonSchema } from '../../tool';
import { compileFirstFinder, compileSchema } from './json-schema-compiler';
import { omitNulls } from './omit-nulls';
import { schemaIssues } from './schema-issue';
import { withoutOtherBranches } from './union-errors';

/** Above this number of members, collecting all errors takes ajv quadratic time. */
const MANY_MEMBERS = 2_000;

/**
 * Checks values against one JSON Schema 2020-12, formats included. It is compiled at the first
 * check, so a tool that is never called costs nothing.
 */
export class SchemaValidator {
  private validate?: ValidateFunction;
  private findFirst?: ValidateFunction;

  constructor(readonly schema: JsonSchema) {}

  /**
   * The problems of a value; none for a valid one. A `null` for an optional property that is not
   * nullable counts as omitted.
   *
   * @throws ToolDeclarationError if the schema itself is invalid
   */
  check(value: unknown): readonly ArgumentIssue[] {
    return this.issuesOf(this.given(value as JsonValue));
  }

  /** The value without omitted properties' nulls, unchecked. */
  given<Value extends JsonValue>(value: Value): Value {
    return omitNulls(value, this.schema) as Value;
  }

  /**
   * The checked value, without omitted properties' nulls.
   *
   * @throws InvalidArgumentsError listing every problem
   */
  accept<Value extends JsonValue>(value: Value): Value {
    const given = this.given(value);
    const issues = this.issuesOf(given);
    if (issues.length > 0) throw new InvalidArgumentsError(issues);
    return given;
  }

  private issuesOf(value: unknown): readonly ArgumentIssue[] {
    const validate = hasMembers(value, MANY_MEMBERS)
      ? (this.findFirst ??= compileFirstFinder(this.schema))
      : (this.validate ??= compileSchema(this.schema));
    if (validate(value)) return [];
    const { errors, schema } = validate;
    return schemaIssues(withoutOtherBranches(errors ?? [], schema as JsonSchema));
  }
}

/** Whether a value has more than this number of members, at all depths together. */
function hasMembers(value: unknown, more: number): boolean {
  const open = [value];
  let count = 0;
  for (let one = open.pop(); one !== undefined && count <= more; one = open.pop()) {
    if (typeof one !== 'object' || one === null) continue;
    const members: readonly unknown[] = Array.isArray(one) ? one : Object.values(one);
    count += members.length;
    if (count <= more)
      for (const member of members) if (typeof member === 'object') open.push(member);
  }
  return count > more;
}
