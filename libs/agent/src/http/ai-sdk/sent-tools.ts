import { isJsonObject, type JsonObject } from '../../message';
import { invalidRequest, mustBe, objectAt, objectsAt, stringAt } from '../body';
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
  return objectsAt(tools, 'frontendTools').map((definition, index) => {
    const at = `frontendTools/${index}`;
    return toolOf(stringAt(definition['name'], `${at}/name`), definition, 'input_schema', at);
  });
}

function named(tools: unknown): readonly SentTool[] {
  return Object.entries(objectAt(tools, 'tools') ?? {}).map(([name, tool]) => {
    const at = `tools/${name}`;
    if (!isJsonObject(tool)) throw mustBe(at, 'an object');
    return toolOf(name, tool, 'parameters', at);
  });
}

function toolOf(
  name: string,
  { description, ...definition }: JsonObject,
  key: 'input_schema' | 'parameters',
  at: string,
): SentTool {
  if (name === '') throw invalidRequest([`${at}: a tool must have a name.`]);
  const parameters = objectAt(definition[key], `${at}/${key}`);
  return { name, description, ...(parameters && { parameters }) };
}
