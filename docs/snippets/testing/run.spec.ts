import { AgentService } from 'nestjs-agent';
import { Barrier } from 'nestjs-agent/testing';
import { startApp, type TestApp } from './start-app';

describe('a run', () => {
  let test: TestApp;
  beforeEach(async () => {
    test = await startApp();
  });
  afterEach(() => test.app.close());

  // #region barrier
  it('keeps what was said when the user presses Stop', async () => {
    const gate = new Barrier();
    test.model.push([{ type: 'text.delta', delta: 'Once upon ' }, gate]);
    const run = await test.app.get(AgentService).start({ message: 'Tell me a story' });
    await gate.reached; // the model has said this much, and says no more
    run.cancel();
    expect(await run.finished).toMatchObject({ status: 'cancelled', message: 'Once upon ' });
  });
  // #endregion barrier

  // #region failure
  it('says so when the model fails', async () => {
    test.model.push(new Error('socket hang up'));
    const result = await test.app.get(AgentService).chat({ message: 'Hi' });
    expect(result).toMatchObject({ status: 'failed', error: { code: 'internal_error' } });
  });
  // #endregion failure

  // #region function
  it('passes on what a tool answered', async () => {
    test.model.push(
      { toolCalls: [{ name: 'shipping_cost', input: { grams: 200 } }] },
      ({ messages }) => `The tool said ${JSON.stringify(messages.at(-1)?.content)}`,
    );
    const { message } = await test.app.get(AgentService).chat({ message: 'How much?' });
    expect(message).toContain('"content":"4.9"');
  });
  // #endregion function
});
