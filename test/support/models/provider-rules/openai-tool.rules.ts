import type { ChatCompletionFunctionTool } from 'openai/resources/chat/completions';
import type { JsonSchema } from 'nestjs-agent/types';
import { openAiStrictViolations } from './openai-strict.rules';
import { partsOf, type SchemaPart } from './schema-parts';

/**
 * The reasons for which OpenAI would refuse a request with this tool.
 *
 * @see https://platform.openai.com/docs/api-reference/chat/create#chat-create-tools for the name
 * @see https://github.com/BerriAI/litellm/pull/40485 for patterns
 * @see https://github.com/sigoden/aichat/pull/1049 for lists
 */
export function openAiToolViolations({
  function: { name, description, parameters, strict },
}: ChatCompletionFunctionTool): readonly string[] {
  const schema = JSON.parse(JSON.stringify(parameters)) as JsonSchema;
  const violations = [...partsOf(schema)].flatMap(partViolations);
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name)) violations.push(`the name ${name}`);
  if (!description) violations.push('no description');
  if (schema.type !== 'object') violations.push('the root is no object');
  for (const keyword of ['oneOf', 'anyOf', 'allOf', 'enum', 'not'])
    if (keyword in schema) violations.push(`${keyword} at the top level`);
  return strict === true ? [...violations, ...openAiStrictViolations(schema)] : violations;
}

function partViolations({ path, schema }: SchemaPart): string[] {
  const violations: string[] = [];
  if ([schema.type].flat().includes('array') && typeof schema.items !== 'object')
    violations.push(`${path}: array schema missing items`);
  const patterns = [schema.pattern, ...Object.keys((schema.patternProperties as object) ?? {})];
  for (const pattern of patterns)
    if (typeof pattern === 'string' && !compilesInPython(pattern))
      violations.push(`${path}: ${pattern} is not a 'regex'`);
  return violations;
}

/** @see https://docs.python.org/3/library/re.html#regular-expression-syntax */
function compilesInPython(pattern: string): boolean {
  const escapes = [...pattern.matchAll(/\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[\s\S])/g)];
  const isKnown = escapes.every(([, escaped = '']) =>
    /^[^a-zA-Z]|^[AbBdDsSwWZafnrtv]$|^[ux]./.test(escaped),
  );
  const signs = pattern.replace(/\\[\s\S]/g, '.');
  // Named groups are written `(?P<name>`, and a look-behind has to have one length.
  return (
    isKnown && !/\(\?<(?![=!])|\(\?<[=!][^)]*[*+{|]/.test(signs) && !/\[\^?\](?!.*\])/.test(signs)
  );
}
