import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { AgentService } from 'nestjs-agent';
import { RunningDemo } from './support/demo/running-demo';
import { anthropicToolViolations, openAiToolViolations, ProviderModels } from './support/models';

/** The demo's tools, as they are told to models and shown to people. */
describe("the schemas of the demo's tools", () => {
  let demo: RunningDemo;
  let models: ProviderModels;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);

  beforeAll(async () => {
    demo = await RunningDemo.start();
    models = await ProviderModels.start();
  });
  afterAll(async () => {
    await demo.close();
    await models.stop();
  });

  const tools = async () => {
    const agent = demo.app.get(AgentService);
    const bob = { principal: 'bob' };
    const listed = await agent.tools(bob);
    return Promise.all(listed.map(({ name }) => agent.tool(name, bob)));
  };

  it('have example requests and responses that fit them', async () => {
    const shown = await tools();
    expect(shown.length).toBeGreaterThan(15);
    for (const { name, input_schema, output_schema, requestExample, responseExample } of shown) {
      expect([name, ajv.validate(input_schema, requestExample)]).toEqual([name, true]);
      if (output_schema === undefined) continue;
      expect([name, ajv.validate(output_schema, responseExample)]).toEqual([name, true]);
    }
  });

  it('keep to what Anthropic and OpenAI accept of a tool, and are strict where they can be', async () => {
    for (const tool of await tools()) {
      const { name, description, input_schema } = tool;
      const { openAi, compatible, anthropic } = await models.tool(tool);
      expect([name, openAiToolViolations(openAi)]).toEqual([name, []]);
      expect([name, openAiToolViolations(compatible)]).toEqual([name, []]);
      expect([name, anthropicToolViolations(anthropic)]).toEqual([name, []]);
      expect(description.length).toBeLessThanOrEqual(1_024);
      // The schema of the foreign server is open, which strict tools cannot be.
      expect([name, openAi.function.strict]).toEqual([
        name,
        name === 'get_weather' ? undefined : true,
      ]);
      expect(ajv.validateSchema(input_schema)).toBe(true);
    }
  });
});
