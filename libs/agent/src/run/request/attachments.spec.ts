import { textOf } from '../../message';
import { ModelError } from '../../model';
import { ScriptedModel } from '../../testing';
import type { UserContent } from './attachments';
import { allOf } from '../fixtures/all-of';
import { agentFixture } from '../fixtures/agent-fixture';

const PNG = Buffer.from('89504e470d0a1a0a0000', 'hex').toString('base64');
const picture: UserContent = { type: 'image', mediaType: 'image/png', data: PNG };
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const alice = { principal: 'alice' };

/** A model that accepts attachments. */
const seeingModel = (steps: readonly string[]): ScriptedModel =>
  new ScriptedModel(steps, { capabilities: { tools: true, images: true, files: true } });

describe('what is attached to a message', () => {
  it('reaches a model that can read it, after the words, and stands in the transcript', async () => {
    const seeing = seeingModel(['A cat.']);
    const { agent, sessions } = await agentFixture({ models: { seeing } });
    const file: UserContent = {
      type: 'file',
      mediaType: 'text/plain',
      data: base64('Grüße'),
      name: 'notes.txt',
    };
    const { sessionId } = await agent.chat(
      {
        message: 'What is this?',
        content: [picture, { type: 'text', text: 'And this?' }, file],
        model: 'seeing',
      },
      alice,
    );
    const content = [
      { type: 'text', text: 'What is this?' },
      picture,
      { type: 'text', text: 'And this?' },
      file,
    ];
    expect(seeing.requests[0]?.messages).toEqual([{ role: 'user', content }]);
    expect((await sessions.transcript(sessionId, alice))[0]).toMatchObject({ content });
  });

  it('may be all there is, and comes as an address as well', async () => {
    const seeing = seeingModel(['Two cats.']);
    const { agent } = await agentFixture({ models: { seeing } });
    const content: UserContent[] = [
      { type: 'image', url: `data:image/png;base64,${PNG}` },
      { type: 'image', mediaType: 'image/jpeg', url: 'https://example.com/cat.jpg' },
      { type: 'image', url: `DATA:image/png;name=cat.png;Base64,${PNG}` },
    ];
    await agent.chat({ content, model: 'seeing' });
    expect(seeing.requests[0]?.messages[0]?.content).toEqual([
      picture,
      { type: 'image', mediaType: 'image/jpeg', url: 'https://example.com/cat.jpg' },
      picture,
    ]);
  });

  it('is told to a model that cannot read it, and the user is noticed', async () => {
    const { agent, model } = await agentFixture({ steps: ['I cannot see it.', 'Still not.'] });
    const run = await agent.start({ message: 'What is this?', content: [picture] }, alice);
    const events = await allOf(run.events());
    expect(events[1]).toMatchObject({ type: 'notice', code: 'attachment_not_seen' });
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    const { sessionId } = run;
    await agent.chat({ message: 'And now?', sessionId }, alice);
    for (const { messages } of model.requests) {
      expect(textOf(messages[0] ?? { content: [] })).toContain('a picture (image/png)');
      expect(JSON.stringify(messages)).not.toContain(PNG);
    }
  });

  it('stays if a model that has not received it refuses the request', async () => {
    const cause = { message: 'Could not process image' };
    const refused = new ModelError('model_bad_request', 'Refused.', { cause });
    const seeing = seeingModel(['A cat.']);
    const { agent, model } = await agentFixture({ steps: [refused], models: { seeing } });
    const { sessionId } = await agent.chat({ message: 'What is this?', content: [picture] });
    await agent.chat({ message: 'And now?', model: 'seeing', sessionId });
    expect(JSON.stringify(seeing.requests[0])).toContain(PNG);
    model.assertComplete();
  });

  it.each<[string, UserContent, string]>([
    ['is no base64', { ...picture, data: '%%%%' }, 'attachment_refused'],
    ['is empty', { ...picture, data: '' }, 'attachment_refused'],
    ['is not what it says', { ...picture, data: base64('GIF89a') }, 'attachment_refused'],
    [
      'is a text with other bytes',
      { type: 'file', mediaType: 'text/plain', data: base64('a\0b') },
      'attachment_refused',
    ],
    [
      'is of a type that is not accepted',
      { type: 'file', mediaType: 'application/zip', data: base64('PK') },
      'attachment_refused',
    ],
    [
      'has an address without an end',
      { type: 'image', mediaType: 'image/png', url: `https://example.com/${'x'.repeat(10_000)}` },
      'attachment_refused',
    ],
    [
      'has an address of parameters alone',
      { type: 'image', url: `data:image/png${';a'.repeat(4_000_000)}` },
      'attachment_refused',
    ],
    [
      'has a pattern for its type',
      { type: 'file', mediaType: 'text/*', data: base64('a') },
      'attachment_refused',
    ],
    [
      'has more than a type',
      { type: 'file', mediaType: 'text/plain,x\n', data: base64('a') },
      'attachment_refused',
    ],
    ['has no type', { type: 'image', data: PNG }, 'attachment_refused'],
    [
      'is a document that calls itself a picture',
      { type: 'image', mediaType: 'application/pdf', data: base64('%PDF-1.7') },
      'attachment_refused',
    ],
    [
      'has an insecure address',
      { type: 'image', mediaType: 'image/png', url: 'http://127.0.0.1/x.png' },
      'attachment_refused',
    ],
    [
      'has an address of this machine',
      { type: 'image', mediaType: 'image/png', url: 'file:///etc/passwd' },
      'attachment_refused',
    ],
    ['has a name that is no name', { ...picture, name: 'x'.repeat(256) }, 'attachment_refused'],
    ['has both', { ...picture, url: 'https://example.com/x.png' }, 'attachment_refused'],
    ['is too large', { ...picture, data: PNG.repeat(10) }, 'attachment_too_large'],
  ])('is refused where it %s, and nothing is stored', async (_what, block, code) => {
    const { agent, sessions, model } = await agentFixture({
      steps: [],
      options: {
        attachments: { maxCount: 2, maxBytes: 40, mediaTypes: ['image/png', 'text/*'] },
      },
    });
    const sent = agent.chat({ message: 'See', content: [block] }, alice);
    await expect(sent).rejects.toMatchObject({ code, field: 'content/0' });
    expect(await sessions.count()).toBe(0);
    expect(model.requests).toEqual([]);
  });

  it('is refused where there is too much of it, or none is accepted', async () => {
    const limits = { maxCount: 1, maxBytes: 40, mediaTypes: ['image/*'] };
    const first = await agentFixture({ options: { attachments: limits } });
    const two = first.agent.chat({ message: 'See', content: [picture, picture] });
    await expect(two).rejects.toMatchObject({ code: 'attachment_refused' });
    await first.module.close();
    const { agent } = await agentFixture({ options: { attachments: false } });
    const none = agent.chat({ message: 'See', content: [picture] });
    await expect(none).rejects.toMatchObject({ code: 'attachment_refused' });
    const blank = agent.chat({ content: [{ type: 'text', text: ' ' }] });
    await expect(blank).rejects.toMatchObject({ code: 'invalid_input', field: 'content' });
    await expect(agent.chat({})).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('is left out of earlier questions once these are summarised', async () => {
    const seeing = seeingModel(['One.', 'Two.', 'A summary.', 'Three.']);
    const { agent, sessions } = await agentFixture({
      models: { seeing },
      options: {
        compaction: { thresholdTokens: 2_000, keepRecentTokens: 500, keepOriginals: true },
      },
    });
    const ask = (message: string, sessionId?: string) =>
      agent.chat({ message, content: [picture], model: 'seeing', ...(sessionId && { sessionId }) });
    const { sessionId } = await ask('1?');
    await ask('2?', sessionId);
    await ask(`3? ${'word '.repeat(1_500)}`, sessionId);
    const last = seeing.requests.at(-1)?.messages ?? [];
    expect(last[0]?.role).toBe('system');
    const pictures = last.flatMap(({ content }) => content.filter(({ type }) => type === 'image'));
    expect(pictures).toHaveLength(1);
    expect(last.at(-1)?.content).toContainEqual(picture);
    const transcript = await sessions.transcript(sessionId);
    expect(JSON.stringify(transcript).split(PNG)).toHaveLength(4);
  });
});

describe('options of the model', () => {
  it('are passed on where they are allowed, after a wait too, and refused otherwise', async () => {
    const { agent, model } = await agentFixture({
      steps: [{ toolCalls: [{ id: 'c1', name: 'page', input: {} }] }, 'Done.'],
      options: { modelOptions: ['temperature'] },
    });
    const frontendTools = [
      { name: 'page', description: 'The page', input_schema: { type: 'object' as const } },
    ];
    const refused = agent.chat({ message: 'go', modelOptions: { topP: 0.5 } }, alice);
    await expect(refused).rejects.toMatchObject({ code: 'invalid_input', field: 'modelOptions' });
    const modelOptions = { temperature: 0.2 };
    const { runId } = await agent.chat({ message: 'go', modelOptions, frontendTools }, alice);
    await agent.resolve(runId, [{ callId: 'c1', type: 'result', result: 'ok' }], alice);
    expect(model.requests.map(({ temperature }) => temperature)).toEqual([0.2, 0.2]);
  });
});
