// The demo has three agents with the same routes: the page shows those of the first.
const OTHER_AGENTS = /^\/(guide|operations)\//;

/** An OpenAPI document as a page. */
export function openApiPage({ paths, components }) {
  const operations = Object.entries(paths)
    .filter(([path]) => !OTHER_AGENTS.test(path))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
    );
  const tags = [...new Set(operations.map(({ tags }) => tags?.[0] ?? 'platform'))];
  return [
    '# HTTP API of the demo',
    'The demo is an internal developer platform with three agents. These are its own routes and those',
    'of the agent at `/agent`; `/guide` and `/operations` have the same ones as `/agent`. All need the',
    'bearer token of `POST /auth/login`.',
    '',
    '<a href="./openapi.json" target="_self" download>Download the OpenAPI document</a>. A running demo',
    'serves it at `/docs`, with forms to try the routes. The guide to the',
    '[HTTP API](/http-api.html) explains the events of a stream and the error codes.',
    '',
    ...tags.flatMap((tag) => [
      `## ${tag === 'agent' ? 'Agent' : tag === 'platform' ? 'Platform' : tag}`,
      '',
      ...operations.filter(({ tags }) => (tags?.[0] ?? 'platform') === tag).flatMap(operationText),
    ]),
    '## Schemas',
    '',
    ...Object.entries(components?.schemas ?? {}).flatMap(schemaText),
  ].join('\n');
}

function operationText({ path, method, summary, description, parameters, requestBody, responses }) {
  const told = description ?? summary;
  const body = schemaOf(requestBody);
  return [
    `### ${method.toUpperCase()} ${path.replace(/[{}]/g, (brace) => `\\${brace}`)}`,
    '',
    ...(told === undefined ? [] : [plain(told), '']),
    ...(parameters ?? []).map(
      ({ name, in: place, required, description: text }) =>
        `- \`${name}\` in the ${place}${required ? '' : ', optional'}${text ? `: ${plain(text)}` : ''}`,
    ),
    ...(body === undefined ? [] : [`- Body: ${typeText(body)}`]),
    ...Object.entries(responses ?? {}).map(([status, response]) => {
      const schema = schemaOf(response);
      return `- ${status === 'default' ? 'Otherwise' : status}: ${schema ? typeText(schema) : 'no body'}`;
    }),
    '',
  ];
}

function schemaText([name, schema]) {
  const required = new Set(schema.required ?? []);
  const rows = Object.entries(schema.properties ?? {}).map(
    ([property, value]) =>
      `| \`${property}\`${required.has(property) ? '' : ' (optional)'} | ${typeText(value)} | ${plain(value.description ?? '')} |`,
  );
  return [
    `### ${name}`,
    '',
    ...(schema.description ? [plain(schema.description), ''] : []),
    ...(rows.length > 0
      ? ['| Property | Type | Meaning |', '| --- | --- | --- |', ...rows]
      : [typeText(schema)]),
    '',
  ];
}

function schemaOf(part) {
  return Object.values(part?.content ?? {})[0]?.schema;
}

function typeText(schema) {
  const named = /^#\/components\/schemas\/(?<name>.+)$/.exec(schema.$ref ?? '')?.groups.name;
  if (named !== undefined) return `[${named}](#${named.toLowerCase()})`;
  const choices = schema.oneOf ?? schema.anyOf ?? schema.allOf;
  if (choices !== undefined) return choices.map(typeText).join(' or ');
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${value}\``).join(', ');
  if (schema.type === 'array') return `array of ${typeText(schema.items ?? {})}`;
  return Array.isArray(schema.type) ? schema.type.join(' or ') : (schema.type ?? 'any value');
}

/** Text of a description: no markup, no template, no end of a table's cell. */
function plain(text) {
  return text
    .replace(/[&<>{}[\]*_`\\]/g, (character) => `&#${character.codePointAt(0)};`)
    .replaceAll('|', '\\|')
    .replace(/\s*\n\s*/g, ' ');
}
