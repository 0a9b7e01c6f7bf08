import { isJsonObject } from '../message';
import { formProblems } from '../schema';
import { isToolName, ToolDeclarationError, type ToolDefinition } from '../tool';
import { isFilled, keyProblems, type KeyRules } from './key-problems';

const RULES: KeyRules<ToolDefinition> = {
  name(name) {
    if (typeof name !== 'string') return '"name" must be a string';
    if (isToolName(name)) return false;
    return `"name" must have 1 to 64 letters, digits or underscores, not "${name}"`;
  },
  title: (title) => title !== undefined && !isFilled(title) && '"title" must be a non-empty string',
  description: (text) => !isFilled(text) && '"description" must say what the tool does',
  input_schema(schema) {
    if (!isJsonObject(schema)) return '"input_schema" must be a JSON Schema object';
    return schema['type'] !== 'object' && '"input_schema.type" must be "object"';
  },
  output_schema: (schema) =>
    schema !== undefined && !isJsonObject(schema) && '"output_schema" must be a JSON Schema object',
};

/**
 * Checks a whole definition, which may come from untyped code.
 *
 * @throws ToolDeclarationError naming `source` and listing every problem
 */
export function assertDefinition(
  definition: unknown,
  source: string,
): asserts definition is ToolDefinition {
  assertNone(definitionProblems(definition), source);
}

/**
 * Checks the outline of a definition whose schemas were made here.
 *
 * @throws ToolDeclarationError naming `source` and listing every problem
 */
export function assertOutline(definition: ToolDefinition, source: string): void {
  assertNone(outlineProblems(definition), source);
}

function assertNone(problems: readonly string[], source: string): void {
  if (problems.length === 0) return;
  throw new ToolDeclarationError(`${source}: not a tool definition: ${problems.join('; ')}.`);
}

/** The problems of a definition; empty for a valid one. */
export function definitionProblems(definition: unknown): readonly string[] {
  if (!isJsonObject(definition)) return outlineProblems(definition);
  const { input_schema: input, output_schema: output } = definition;
  return [
    ...outlineProblems(definition),
    ...(isJsonObject(input) ? formProblems(input, 'input_schema') : []),
    ...(isJsonObject(output) ? formProblems(output, 'output_schema') : []),
  ];
}

function outlineProblems(definition: unknown): readonly string[] {
  return isJsonObject(definition) ? keyProblems(RULES, definition) : ['it must be an object'];
}
