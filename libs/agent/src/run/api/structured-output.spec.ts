import { z } from 'zod';
import type { ScriptedStep } from '../../testing';
import { agentFixture } from '../fixtures/agent-fixture';

describe('AgentService.generate()', () => {
  const start = (...steps: readonly ScriptedStep[]) => agentFixture({ steps });
  const schema = z.object({ city: z.string() });
  const ask = { schema, prompt: 'Where?' };

  it.each([
    ['{"city": "Ulm"}'],
    ['```json\n{"city": "Ulm"}\n```'],
    ['```\n{"city": "Ulm"}'],
    ["{'city': 'Ulm',}"],
  ])('reads %j at once', async (answer) => {
    const { agent, model } = await start(answer);
    await expect(agent.generate(ask)).resolves.toEqual({ city: 'Ulm' });
    model.assertComplete();
  });

  it('has an answer mended, told in words that are about an answer', async () => {
    const { agent, model } = await start('{"city": 7}', '{"city": "Ulm"}');
    await expect(agent.generate(ask)).resolves.toEqual({ city: 'Ulm' });
    const asked = JSON.stringify(model.requests[1]?.messages.at(-1));
    expect(asked).toContain('/city');
    expect(asked).not.toContain('arguments');
  });

  it('asks for a shorter answer where one was cut off, and says so in the end', async () => {
    const cut = { text: '{"city": "U', finishReason: 'max_tokens' } as const;
    const { agent, model } = await start(cut, cut);
    await expect(agent.generate(ask)).rejects.toMatchObject({
      name: 'GenerationError',
      code: 'invalid_output',
      issues: [{ path: '', message: 'the answer was cut off after 4096 tokens' }],
    });
    expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain('cut off');
  });

  it.each(['I cannot help with that.', '{"city": "Ulm"}', ''])(
    'takes a refusal for one, whatever was said: %j',
    async (text) => {
      const { agent, model } = await start({ text, finishReason: 'refusal' });
      await expect(agent.generate(ask)).rejects.toMatchObject({
        code: 'invalid_output',
        issues: [{ path: '', message: 'the model refused to answer' }],
      });
      model.assertComplete();
    },
  );
});
