import type { ValidateFunction } from 'ajv';
import type { JsonObject, JsonValue } from '../message';
import { type ArgumentIssue, InvalidArgumentsError, type JsonSchema } from '../tool';
import { compileSchema } from './json-schema-compiler';
import { omitNulls } from './omit-nulls';
import { schemaIssues } from './schema-issue';

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
   * The arguments as the tool shall see them: those that count as left out are gone.
   *
   * @throws InvalidArgumentsError listing every problem
   */
  accept(input: JsonObject): JsonObject {
    const given = omitNulls(input, this.schema) as JsonObject;
    const issues = this.issuesOf(given);
    if (issues.length > 0) throw new InvalidArgumentsError(issues);
    return given;
  }

  /**
   * Compiles now, for a schema that a user wrote and that should fail at boot.
   *
   * @throws ToolDeclarationError where the schema cannot be used
   */
  compile(): this {
    this.validate ??= compileSchema(this.schema);
    return this;
  }

  private issuesOf(value: unknown): readonly ArgumentIssue[] {
    this.validate ??= compileSchema(this.schema);
    if (this.validate(value)) return [];
    return schemaIssues(this.validate.errors ?? []);
  }
}
