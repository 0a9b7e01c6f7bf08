import { Body, Controller, Post } from '@nestjs/common';
import { ApiProperty, DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { ADAPTERS, Closers, type AdapterName } from './http/agent-app';
import { as, converse, EVERY_ENDPOINT, STEPS } from './http/every-endpoint';
import request from 'supertest';

/** An application's own class of a name that the library uses, too. */
class ChatDto {
  @ApiProperty()
  room!: string;
}

@Controller('rooms')
class RoomsController {
  @Post()
  open(@Body() { room }: ChatDto): string {
    return room;
  }
}

type Schemas = Record<string, unknown>;

/** Everything in a document that refers to something else. */
function refsIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' ? [String(inner)] : refsIn(inner),
  );
}

/** OpenAPI 3.0's `nullable`, in the words of JSON Schema. */
function asJsonSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asJsonSchema);
  if (typeof value !== 'object' || value === null) return value;
  const { nullable, ...rest } = value as Record<string, unknown>;
  const schema = Object.fromEntries(
    Object.entries(rest).map(([key, inner]) => [key, asJsonSchema(inner)]),
  );
  return nullable === true ? { anyOf: [schema, { type: 'null' }] } : schema;
}

describe.each(ADAPTERS)("the agent's endpoints in the API description on %s", (adapter) => {
  const apps = new Closers();
  afterEach(() => apps.close());

  const describeApp = async (of: AdapterName) => {
    const opened = await apps.open({
      adapter: of,
      controllers: [RoomsController],
      steps: [
        { text: 'Let me add.', toolCalls: [{ name: 'add', input: { a: 1, b: 2 } }] },
        'It is 3.',
        ...STEPS,
      ],
    });
    const document = SwaggerModule.createDocument(opened.app, new DocumentBuilder().build());
    return { ...opened, document };
  };

  const answerOf = (document: OpenAPIObject, name: string, status: string) => {
    const [method = '', route = ''] = name.split(/[ ,]+/);
    const path = `/agent${route.replaceAll(/:(\w+)/g, '{$1}')}`;
    const operation = document.paths[path]?.[method.toLowerCase() as 'get'];
    return operation?.responses[status] as
      | { content?: Record<string, { schema: object }> }
      | undefined;
  };

  it('refer to nothing that is missing, and take no name of the application', async () => {
    const { document } = await describeApp(adapter);
    const schemas = (document.components?.schemas ?? {}) as Schemas;
    for (const ref of refsIn(document)) {
      expect(Object.keys(schemas)).toContain(ref.replace('#/components/schemas/', ''));
    }
    expect(schemas['ChatDto']).toMatchObject({ properties: { room: { type: 'string' } } });
    const others = Object.keys(schemas).filter((name) => !name.startsWith('Agent'));
    expect(others).toEqual(['ChatDto']);
  });

  it('are described as they answer, errors too', async () => {
    const { url, document } = await describeApp(adapter);
    const ajv = addFormats(new Ajv({ strict: false, allErrors: true }));
    ajv.addSchema({
      $id: 'doc',
      components: asJsonSchema(document.components) as object,
    });
    const check = (schema: object, value: unknown): unknown => {
      const absolute = JSON.parse(
        JSON.stringify(asJsonSchema(schema)).replaceAll('"#/components', '"doc#/components'),
      ) as object;
      const validate = ajv.compile(absolute);
      return validate(value) ? undefined : validate.errors;
    };
    const conversation = await converse(url, 'alice');
    for (const { name, status, ask } of EVERY_ENDPOINT) {
      if (name.includes('/ui')) continue;
      const { body, headers, status: answered } = await ask(conversation);
      const isError = status >= 400;
      const described = answerOf(document, name, isError ? 'default' : String(status));
      expect({ name, answered, isDescribed: described !== undefined }).toEqual({
        name,
        answered: status,
        isDescribed: true,
      });
      if (status === 204) continue;
      const [type = ''] = String(headers['content-type']).split(';');
      const schema = described?.content?.[type]?.schema ?? {};
      expect({
        name,
        type,
        problems: check(schema, type === 'text/event-stream' ? '' : body),
      }).toEqual({ name, type, problems: undefined });
      expect(schema).not.toEqual({});
    }
    for (const name of ['GET /sessions/:id/messages', 'GET /v1/models/:model']) {
      const path = `/agent${name.slice(4).replaceAll(/:\w+/g, 'none')}`;
      const { body, status } = await request(url).get(path).set(as('alice'));
      const schema = answerOf(document, name, 'default')?.content?.['application/json']?.schema;
      expect({ name, status, problems: check(schema ?? {}, body) }).toEqual({
        name,
        status: 404,
        problems: undefined,
      });
    }
    expect(document.paths['/agent/sessions']?.get?.parameters).toEqual([
      {
        name: 'limit',
        in: 'query',
        required: false,
        schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
      },
      {
        name: 'offset',
        in: 'query',
        required: false,
        schema: { type: 'integer', minimum: 0, default: 0 },
      },
    ]);
    // What is described is more than "anything".
    const result = { $ref: '#/components/schemas/AgentChatResult' };
    expect(check(result, {})).toEqual(expect.any(Array));
  });
});
