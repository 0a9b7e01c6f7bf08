import { AgentService, ToolCallFactory } from 'nestjs-agent';
import { guideText } from '../../../test/support/guide-text';
import { startApp } from './start-app';

const TEXT = guideText('testing');

describe('the guide to testing', () => {
  it('quotes what a script says that does not fit', async () => {
    const { app, model } = await startApp();
    const agent = app.get(AgentService);
    model.push('One.');
    await agent.chat({ message: 'Hi' });
    expect(await agent.chat({ message: 'Hi' })).toMatchObject({ status: 'failed' });
    model.push('Left.', 'Over.');
    await app.close();
    let message = '';
    try {
      model.assertComplete();
    } catch (error) {
      message = error instanceof Error ? error.message : '';
    }
    expect([message, TEXT.includes(message)]).toEqual([message, true]);
  });

  it('names what a call lacks that brings no request', async () => {
    const { app } = await startApp();
    const { response } = await app.get(ToolCallFactory).create('get_order', { id: 17 });
    const { error } = await response.execute();
    await app.close();
    expect(TEXT).toContain(`\`${error?.code}\` or`);
    const late = await app.get(ToolCallFactory).create('get_order', { id: 17 });
    expect((await late.response.execute()).error?.code).toBe('not_ready');
  });
});
