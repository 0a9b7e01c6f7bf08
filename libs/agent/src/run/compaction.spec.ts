import { Logger } from '@nestjs/common';
import type { ProviderToolBlock } from '../message';
import { ModelError } from '../model';
import type { SessionEntry } from '../session';
import { ScriptedModel, type ScriptedStep } from '../testing';
import { agentFixture } from './fixtures/agent-fixture';

const RIVERS = 'All about rivers. '.repeat(400);
/** The usage that a provider would report. */
const LONG = {
  text: RIVERS,
  usage: { inputTokens: 20, outputTokens: 1_980, totalTokens: 2_000 },
};
const compaction = { thresholdTokens: 1_500, keepRecentTokens: 200, keepOriginals: true };
const types = (entries: readonly { readonly entry: SessionEntry }[]): readonly string[] =>
  entries.map(({ entry }) => entry.type);

describe('compaction within a run', () => {
  it('summarises a long history before the next model call, and keeps the originals', async () => {
    const { agent, model, store, sessions } = await agentFixture({
      steps: [LONG, 'They spoke of rivers.', 'Go on.'],
      options: { compaction },
    });
    const { sessionId } = await agent.chat({ message: 'Tell me about rivers' });
    const run = await agent.start({ message: 'And mountains?', sessionId });
    expect(await run.finished).toMatchObject({ status: 'completed', message: 'Go on.' });
    const events = [];
    for await (const event of run.events()) events.push(event.type);
    expect(events).toContain('compaction');
    const sent = JSON.stringify(model.requests[2]?.messages);
    expect(sent).toContain('They spoke of rivers.');
    expect(sent).toContain('And mountains?');
    expect(sent).not.toContain(RIVERS);
    expect(model.requests[2]?.messages[0]?.role).toBe('system');
    const messages = await sessions.transcript(sessionId);
    expect(JSON.stringify(messages)).toContain(RIVERS);
    expect(types(await store.read(sessionId))).toContain('compacted');
    expect((await store.find(sessionId))?.readFrom).toBeGreaterThan(1);
  });

  it('compacts and tries once more where the provider says that the history is too long', async () => {
    const tooLong = new ModelError('context_too_long', 'The conversation is too long.');
    const { agent, model } = await agentFixture({
      steps: [LONG, tooLong, 'They spoke of rivers.', 'Now it fits.'],
    });
    const { sessionId } = await agent.chat({ message: 'Tell me about rivers' });
    const next = await agent.chat({ message: 'And mountains?', sessionId });
    expect(next).toMatchObject({ status: 'completed', message: 'Now it fits.' });
    model.assertComplete();
  });

  it('compacts, too, if the history is too long after a refused picture was left out', async () => {
    const cause = { message: 'Could not process image' };
    const refused = new ModelError('model_bad_request', 'Refused.', { cause });
    const tooLong = new ModelError('context_too_long', 'The conversation is too long.');
    const seeing = new ScriptedModel(
      [LONG, refused, tooLong, 'They spoke of rivers.', 'Now it fits.'],
      { capabilities: { tools: true, images: true } },
    );
    const { agent } = await agentFixture({ models: { seeing } });
    const model = 'seeing';
    const { sessionId } = await agent.chat({ message: 'Tell me about rivers', model });
    const content = [{ type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' }] as const;
    const next = await agent.chat({ message: 'And this?', content, model, sessionId });
    expect(next).toMatchObject({ status: 'completed', message: 'Now it fits.' });
    seeing.assertComplete();
  });

  it('does not ask again after the provider has begun a tool of its own', async () => {
    const mail: ProviderToolBlock = { type: 'provider_tool', id: 'srv_1', name: 'send_mail' };
    const tooLong = new ModelError('context_too_long', 'The conversation is too long.');
    const { agent, model, sessions } = await agentFixture({
      steps: [LONG, [mail, tooLong]],
    });
    const { sessionId } = await agent.chat({ message: 'Tell me about rivers' });
    const failed = await agent.chat({ message: 'Mail that', sessionId });
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'context_too_long' } });
    model.assertComplete();
    expect((await sessions.transcript(sessionId)).at(-1)?.content).toEqual([mail]);
  });

  it('counts what the model receives of tools, which is not the schema of their results', async () => {
    const { agent, model, registry } = await agentFixture({
      steps: [{ text: 'Hello.' }],
      options: { compaction, budget: { totalTokens: 1_500 } },
    });
    const definition = {
      name: 'rivers',
      description: 'Lists rivers',
      input_schema: { type: 'object', properties: {}, additionalProperties: false },
      output_schema: { type: 'object', description: RIVERS },
    } as const;
    registry.register(definition, () => ({}));
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    const { status, stopReason } = await agent.chat({ message: 'Hello' });
    expect({ status, stopReason }).toEqual({ status: 'completed', stopReason: 'end_turn' });
    expect(warn).not.toHaveBeenCalled();
    expect(model.requests).toHaveLength(1);
    warn.mockRestore();
  });

  it('says so where a history that is too long cannot be made shorter', async () => {
    const { agent, model } = await agentFixture({
      steps: [new ModelError('context_too_long', 'The conversation is too long.')],
    });
    const failed = await agent.chat({ message: 'Hello' });
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'context_too_long' } });
    model.assertComplete();
  });

  it('a summary that fails leaves the history as it was', async () => {
    const { agent, model } = await agentFixture({
      steps: [LONG, new ModelError('model_unavailable', 'Not now.'), 'Still here.'],
      options: { compaction },
    });
    const { sessionId } = await agent.chat({ message: 'Tell me about rivers' });
    const next = await agent.chat({ message: 'And mountains?', sessionId });
    expect(next).toMatchObject({ status: 'completed', message: 'Still here.' });
    expect(JSON.stringify(model.requests[2]?.messages)).toContain(RIVERS);
  });

  it('the tokens of a summary that fails count for the caller and the run', async () => {
    const spentWith = async (summary: ScriptedStep) => {
      const { agent, module, store } = await agentFixture({
        steps: [LONG, summary, { text: 'Still here.', usage: LONG.usage }],
        options: { compaction },
      });
      const ann = { principal: 'ann' };
      const { sessionId } = await agent.chat({ message: 'Tell me about rivers' }, ann);
      const { usage } = await agent.chat({ message: 'And mountains?', sessionId }, ann);
      const [sum] = (await store.usage?.({ from: new Date(0), owner: 'ann', by: [] })) ?? [];
      await module.close();
      return [usage.totalTokens, sum?.usage.totalTokens];
    };
    const away = new ModelError('model_unavailable', 'Not now.');
    expect(await spentWith(away)).toEqual([2_000, 4_000]);
    expect(await spentWith({ text: ' ', usage: LONG.usage })).toEqual([4_000, 6_000]);
    const [run = 0, ledger] = await spentWith([{ type: 'text.delta', delta: 'They' }, away]);
    expect(run).toBeGreaterThan(3_000);
    expect(ledger).toBe(run + 2_000);
  });

  it('discards the originals where the options say so', async () => {
    const { agent, store } = await agentFixture({
      steps: [LONG, 'They spoke of rivers.', 'Go on.'],
      options: { compaction: { ...compaction, keepOriginals: false } },
    });
    const { sessionId } = await agent.chat({ message: 'Tell me about rivers' });
    await agent.chat({ message: 'And mountains?', sessionId });
    const kept = await store.read(sessionId);
    expect(kept[0]?.position).toBeGreaterThan(1);
    expect(types(kept)).toContain('compacted');
    expect(JSON.stringify(kept)).not.toContain(RIVERS);
  });

  it.each([true, false])(
    'gives no call the id of a summarised one, originals kept: %p',
    async (keepOriginals) => {
      const counted = { id: 'call_1', name: 'look' };
      const { agent, registry } = await agentFixture({
        steps: [
          { toolCalls: [counted] },
          LONG,
          'They spoke of rivers.',
          'Go on.',
          { toolCalls: [counted] },
          'Done.',
        ],
        options: { compaction: { ...compaction, keepOriginals } },
      });
      registry.register(
        { name: 'look', description: 'Look', input_schema: { type: 'object', properties: {} } },
        () => 'seen',
      );
      const { sessionId } = await agent.chat({ message: 'Tell me about rivers' });
      await agent.chat({ message: 'And mountains?', sessionId });
      const { toolCalls } = await agent.chat({ message: 'Look again', sessionId });
      expect(toolCalls).toMatchObject([{ name: 'look', isError: false }]);
      expect(toolCalls[0]?.id).not.toBe('call_1');
    },
  );
});
