import { defineTool } from '../registry';
import { Barrier } from '../testing';
import { allOf } from './fixtures/all-of';
import { agentFixture } from './fixtures/agent-fixture';

const LOG_IN = { type: 'tool_use', id: 'c', name: 'log_in', input: { pin: '4711' } } as const;

it('an answer that is cut off after a call masks its sensitive arguments', async () => {
  const asked = new Barrier();
  const { agent, registry } = await agentFixture({ steps: [[LOG_IN, asked]] });
  const pin = { type: 'string', writeOnly: true } as const;
  const input = { type: 'object', properties: { pin }, required: ['pin'] } as const;
  const execute = () => 'in';
  registry.register(defineTool({ name: 'log_in', description: 'Log in', input, execute }));
  const run = await agent.start({ message: 'go' });
  await asked.reached;
  run.cancel();
  const told = await allOf(run.events());
  expect(told).toContainEqual(expect.objectContaining({ type: 'tool.call', callId: 'c' }));
  expect(JSON.stringify(told)).not.toContain('4711');
});
