import { isJsonObject } from '../message';
import { formProblems } from '../schema';
import { isToolName, ToolDeclarationError, type ToolDefinition } from '../tool';

const KEYS = new Set(['name', 'title', 'description', 'input_schema', 'output_schema']);

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
  if (!isJsonObject(definition)) return ['it must be an object'];
  return [
    ...nameProblems(definition['name']),
    ...titleProblems(definition['title']),
    ...descriptionProblems(definition['description']),
    ...inputProblems(definition['input_schema']),
    ...outputProblems(definition['output_schema']),
    ...Object.keys(definition)
      .filter((key) => !KEYS.has(key))
      .map((key) => `unknown key "${key}"`),
  ];
}

function nameProblems(name: unknown): readonly string[] {
  if (typeof name !== 'string') return ['"name" must be a string'];
  if (isToolName(name)) return [];
  return [`"name" must have 1 to 64 letters, digits or underscores, not "${name}"`];
}

function titleProblems(title: unknown): readonly string[] {
  if (title === undefined || (typeof title === 'string' && title.trim() !== '')) return [];
  return ['"title" must be a non-empty string'];
}

function descriptionProblems(description: unknown): readonly string[] {
  if (typeof description === 'string' && description.trim() !== '') return [];
  return ['"description" must say what the tool does'];
}

function inputProblems(schema: unknown): readonly string[] {
  if (!isJsonObject(schema)) return ['"input_schema" must be a JSON Schema object'];
  return schema['type'] === 'object' ? [] : ['"input_schema.type" must be "object"'];
}

function outputProblems(schema: unknown): readonly string[] {
  if (schema === undefined || isJsonObject(schema)) return [];
  return ['"output_schema" must be a JSON Schema object'];
}
