import { isJsonObject, type JsonValue } from '../../message';
import { exampleOf, SchemaValidator } from '../../schema';
import type { JsonSchema } from '../../tool';
import { fillArguments } from './argument.filler';

/** A value of a schema: an example, with those values of the request that fit. */
export function structuredAnswer(schema: JsonSchema, ask: string): JsonValue {
  const validator = new SchemaValidator(schema);
  const problems = (value: JsonValue): number => validator.check(value).length;
  let answer = exampleOf(schema);
  for (const [name, value] of Object.entries(fillArguments(schema, ask, new Set()).input)) {
    if (!isJsonObject(answer)) break;
    const filled = { ...answer, [name]: value };
    if (problems(filled) <= problems(answer)) answer = filled;
  }
  return answer;
}
