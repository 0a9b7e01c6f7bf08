import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { ToolCatalog } from '../libs/agent/src/invocation';
import { ToolListing } from '../libs/agent/src/run/api/tool-listing';
import { anthropicToolViolations, openAiToolViolations } from './support/provider-rules';
import { RunningDemo } from './support/running-demo';
import { toldTool } from './support/told-tools';

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

  it('have example requests and responses that fit them', async () => {
    const listing = demo.app.get(ToolListing);
    expect((await tools()).length).toBeGreaterThan(15);
    for (const { definition } of await tools()) {
      const { input_schema, output_schema, requestExample, responseExample } = await listing.detail(
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

  it('keep to what Anthropic and OpenAI accept of a tool, and are strict where they can be', async () => {
    for (const { definition } of await tools()) {
      const { name, description, input_schema } = definition;
      const { openAi, compatible, anthropic } = toldTool(definition);
      expect([name, openAiToolViolations(openAi)]).toEqual([name, []]);
      expect([name, openAiToolViolations(compatible)]).toEqual([name, []]);
      expect([name, anthropicToolViolations(anthropic)]).toEqual([name, []]);
      expect(description.length).toBeLessThanOrEqual(1_024);
      expect([name, openAi.function.strict]).toEqual([name, true]);
      expect(ajv.validateSchema(input_schema)).toBe(true);
    }
  });
});
