import type { Tool } from '@anthropic-ai/sdk/resources/messages';
import Ajv2020 from 'ajv/dist/2020';
import type { JsonSchema } from 'nestjs-agent/types';

const ajv = new Ajv2020({ strict: false });

/**
 * The reasons for which Anthropic would refuse a request with this tool.
 *
 * @see https://platform.claude.com/docs/en/agents-and-tools/tool-use/define-tools for the name
 * @see https://github.com/anthropics/claude-code/issues/5319 for the top level
 * @see https://github.com/anthropics/claude-code/issues/79418 for the names of arguments
 * @see https://github.com/anthropics/claude-code/issues/63673 for the dialect
 */
export function anthropicToolViolations(tool: Tool): readonly string[] {
  const schema = JSON.parse(JSON.stringify(tool.input_schema)) as JsonSchema;
  const violations: string[] = [];
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(tool.name)) violations.push(`the name ${tool.name}`);
  if (!tool.description) violations.push('no description');
  if (schema.type !== 'object') violations.push('input_schema is no object');
  for (const keyword of ['oneOf', 'allOf', 'anyOf'])
    if (keyword in schema) violations.push(`${keyword} at the top level`);
  for (const key of Object.keys(schema.properties ?? {}))
    if (!/^[a-zA-Z0-9_.-]{1,64}$/.test(key)) violations.push(`the property key ${key}`);
  if (!ajv.validateSchema(schema))
    violations.push(`not JSON Schema draft 2020-12: ${ajv.errorsText(ajv.errors)}`);
  return violations;
}
