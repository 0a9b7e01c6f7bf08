import { isJsonObject, type JsonObject } from '../../message';
import { invalidRequest } from '../body';
import { clientToolsOf, type ClientToolSet, type SentTool } from '../client-tools';

/**
 * The tools that the page defines: `frontendTools` as in `POST /chat`, `tools` by their names as
 * assistant-ui sends them.
 *
 * @throws HttpException 400 naming the tool that cannot be read
 */
export function sentToolsOf({ frontendTools, tools }: JsonObject): ClientToolSet {
  return clientToolsOf([...listed(frontendTools), ...named(tools)]);
}

function listed(tools: unknown): readonly SentTool[] {
  if (isAbsent(tools)) return [];
  if (!Array.isArray(tools)) throw invalidRequest(['frontendTools must be an array.']);
  return tools.map((tool: unknown, index) => {
    const at = `frontendTools/${index}`;
    const definition = objectAt(tool, at);
    const { name } = definition;
    if (typeof name !== 'string') throw invalidRequest([`${at}/name must be a string.`]);
    return toolOf(name, definition, 'input_schema', at);
  });
}

function named(tools: unknown): readonly SentTool[] {
  if (isAbsent(tools)) return [];
  if (!isJsonObject(tools)) throw invalidRequest(['tools must be an object of tools by name.']);
  return Object.entries(tools).map(([name, tool]) => {
    const at = `tools/${name}`;
    return toolOf(name, objectAt(tool, at), 'parameters', at);
  });
}

function toolOf(
  name: string,
  definition: JsonObject,
  key: 'input_schema' | 'parameters',
  at: string,
): SentTool {
  if (name === '') throw invalidRequest([`${at}: a tool must have a name.`]);
  const { description } = definition;
  const schema = definition[key];
  if (isAbsent(schema)) return { name, description };
  return { name, description, parameters: objectAt(schema, `${at}/${key}`) };
}

function objectAt(value: unknown, at: string): JsonObject {
  if (isJsonObject(value)) return value;
  throw invalidRequest([`${at} must be an object.`]);
}

function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}
