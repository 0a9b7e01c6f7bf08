import { setImmediate as turn } from 'node:timers/promises';
import { defineTool } from '../../registry';
import { agentFixture } from '../fixtures/agent-fixture';

describe('the calls of one step', () => {
  it('are checked 64 at a time, in their order', async () => {
    let checking = 0;
    let most = 0;
    const look = defineTool({
      name: 'look',
      description: 'Looks',
      input: { type: 'object' },
      permission: async () => {
        most = Math.max(most, ++checking);
        await turn();
        checking -= 1;
        return 'allow' as const;
      },
      execute: ({ at }) => at,
    });
    const toolCalls = Array.from({ length: 200 }, (_, at) => ({ name: 'look', input: { at } }));
    const { agent } = await agentFixture({ steps: [{ toolCalls }, 'Done.'] });
    const result = await agent.chat({ message: 'Look' }, { principal: 'alice', tools: [look] });
    expect(result.toolCalls.map(({ output }) => output)).toEqual(toolCalls.map((_, at) => `${at}`));
    expect(most).toBe(64);
  });
});
