import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { ToolCatalog } from '../libs/agent/src/invocation';
import { ToolListing } from '../libs/agent/src/run/tool-listing';
import { RunningDemo } from './support/running-demo';

/** The demo's tools, as they are told to models and shown to people. */
describe("the schemas of the demo's tools", () => {
  let demo: RunningDemo;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);

  beforeAll(async () => {
    demo = await RunningDemo.start();
  });
  afterAll(() => demo.close());

  const tools = () => demo.app.get(ToolCatalog).offered({ principal: 'bob' });

  it('have example requests and responses that fit them', () => {
    const listing = demo.app.get(ToolListing);
    expect(tools().length).toBeGreaterThan(15);
    for (const { definition } of tools()) {
      const { input_schema, output_schema, requestExample, responseExample } = listing.detail(
        definition.name,
        { principal: 'bob' },
      );
      expect({ name: definition.name, fits: ajv.validate(input_schema, requestExample) }).toEqual({
        name: definition.name,
        fits: true,
      });
      if (output_schema === undefined) continue;
      expect({ name: definition.name, fits: ajv.validate(output_schema, responseExample) }).toEqual(
        {
          name: definition.name,
          fits: true,
        },
      );
    }
  });

  it('keep to what Anthropic and OpenAI accept of a tool', () => {
    for (const { definition } of tools()) {
      const { name, description, input_schema } = definition;
      // https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/implement-tool-use
      expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect(description.length).toBeGreaterThan(0);
      expect(description.length).toBeLessThanOrEqual(1_024);
      expect(input_schema.type).toBe('object');
      for (const keyword of ['oneOf', 'anyOf', 'allOf', 'enum', 'not']) {
        expect(input_schema).not.toHaveProperty(keyword);
      }
      expect(ajv.validateSchema(input_schema)).toBe(true);
    }
  });
});
