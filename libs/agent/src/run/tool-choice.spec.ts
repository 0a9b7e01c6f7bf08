import type { CompletionInput } from './api/completion';
import { textMessage } from '../message';
import { defineTool } from '../registry';
import { ScriptedModel } from '../testing';
import { agentFixture, type AgentFixture, type FixtureOptions } from './fixtures/agent-fixture';
import { InvalidInputError } from './request/run-errors';

describe('a tool that the model has to call', () => {
  const start = async (options: FixtureOptions = {}): Promise<AgentFixture> => {
    const fixture = await agentFixture(options);
    const { registry } = fixture;
    registry.createGroup({ name: 'asleep', description: 'Asleep', active: false });
    const define = (name: string, more: object = {}) =>
      registry.register(
        defineTool({ name, description: `The tool ${name}`, execute: () => name, ...more }),
      );
    define('plain');
    define('hidden', { visible: () => false });
    define('denied', { permission: 'deny' });
    define('sleeping', { group: 'asleep' });
    define('asking', { permission: 'ask' });
    return fixture;
  };

  const message = 'go';
  const principal = 'alice';
  const refusal = { code: 'invalid_input', field: 'toolChoice' };

  it.each(['nowhere', '', 'hidden', 'denied', 'sleeping', 'constructor'])(
    'is refused before the run begins where "%s" is not on offer',
    async (name) => {
      const { agent, model, sessions } = await start();
      const chat = agent.chat({ message, toolChoice: { name } }, { principal });
      await expect(chat).rejects.toBeInstanceOf(InvalidInputError);
      await expect(chat).rejects.toMatchObject(refusal);
      expect(model.requests).toEqual([]);
      expect(await sessions.count()).toBe(0);
    },
  );

  it('is refused where the model calls no tools', async () => {
    const mute = new ScriptedModel([], { capabilities: { tools: false } });
    const { agent } = await start({ models: { mute } });
    const input = { message, model: 'mute', toolChoice: { name: 'plain' } };
    await expect(agent.chat(input)).rejects.toMatchObject(refusal);
  });

  it('leaves what the session waits for as it is, where it is refused', async () => {
    const { agent } = await start({ steps: [{ toolCalls: [{ name: 'asking' }] }] });
    const { sessionId, runId } = await agent.chat({ message }, { principal });
    const next = { message, sessionId, toolChoice: { name: 'nowhere' } };
    await expect(agent.chat(next, { principal })).rejects.toMatchObject(refusal);
    const standing = await agent.run(runId, { principal });
    expect(standing).toMatchObject({ status: 'requires_action', pendingActions: [{}] });
  });

  it('may be one that asks, one of the run, and one of the browser', async () => {
    const { agent, model } = await start({ steps: ['1', '2', '3'] });
    const own = defineTool({ name: 'own', description: 'Of this run', execute: () => 1 });
    const page = { name: 'page', description: 'Of the page', input_schema: { type: 'object' } };
    await agent.chat({ message, toolChoice: { name: 'asking' } });
    await agent.chat({ message, toolChoice: { name: 'own' } }, { tools: [own] });
    await agent.chat({ message, toolChoice: { name: 'page' }, frontendTools: [page] as never });
    expect(model.requests.map(({ toolChoice }) => toolChoice)).toEqual([
      { name: 'asking' },
      { name: 'own' },
      { name: 'page' },
    ]);
  });

  it('is none that asks where nobody can be asked', async () => {
    const { agent, model } = await start({ steps: ['Done.'] });
    const input = (name: string): CompletionInput => ({
      messages: [textMessage('user', message)],
      toolChoice: { name },
    });
    await expect(agent.complete(input('asking'))).rejects.toMatchObject(refusal);
    const run = await agent.complete(input('plain'));
    expect(await run.finished).toMatchObject({ status: 'completed' });
    expect(model.requests).toHaveLength(1);
  });
});
