import type { ValidateFunction } from 'ajv';
import type { JsonValue } from '../message';
import { type ArgumentIssue, InvalidArgumentsError, type JsonSchema } from '../tool';
import { compileSchema } from './json-schema-compiler';
import { omitNulls } from './omit-nulls';
import { schemaIssues } from './schema-issue';
import { withoutOtherBranches } from './union-errors';

/**
 * Checks values against one JSON Schema 2020-12, formats included. It is compiled at the first
 * check, so a tool that is never called costs nothing.
 */
export class SchemaValidator {
  private validate?: ValidateFunction;

  constructor(readonly schema: JsonSchema) {}

  /**
   * What is wrong with a value; nothing of a valid one. A `null` for an optional property that is
   * not nullable counts as left out.
   *
   * @throws ToolDeclarationError where the schema itself cannot be used
   */
  check(value: unknown): readonly ArgumentIssue[] {
    return this.issuesOf(omitNulls(value as JsonValue, this.schema));
  }

  /**
   * The value as whoever asked for it shall see it: what counts as left out is gone.
   *
   * @throws InvalidArgumentsError listing every problem
   */
  accept<Value extends JsonValue>(value: Value): Value {
    const given = omitNulls(value, this.schema) as Value;
    const issues = this.issuesOf(given);
    if (issues.length > 0) throw new InvalidArgumentsError(issues);
    return given;
  }

  private issuesOf(value: unknown): readonly ArgumentIssue[] {
    this.validate ??= compileSchema(this.schema);
    if (this.validate(value)) return [];
    const { errors, schema } = this.validate;
    return schemaIssues(withoutOtherBranches(errors ?? [], schema as JsonSchema));
  }
}
