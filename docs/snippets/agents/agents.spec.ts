import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentService, getAgentToken, type AgentEvent } from 'nestjs-agent';
import {
  FEATURE_CHECKS,
  FEATURE_STATIC_CHECKS,
} from '../../../libs/agent/src/options/check/option-table';
import { GuideApp } from '../../../test/support/guide-app';
import { guideRows } from '../../../test/support/guide-text';
import { AppModule } from './app.module';
import { Desk } from './desk';

describe('the guide to several agents', () => {
  let guide: GuideApp;
  beforeAll(async () => {
    guide = await GuideApp.start(AppModule);
  });
  afterAll(() => guide.close());

  it('has agents with tools, guards and endpoints of their own', async () => {
    const { body } = await guide.get('/support/tools', 'grace').expect(200);
    expect((body as { name: string }[]).map(({ name }) => name)).toEqual([
      'orders_find',
      'orders_cancel',
    ]);
    await guide.get('/support/tools', 'ada').expect(403);
    const support = guide.app.get<AgentService>(getAgentToken('support'));
    expect(await support.tools({ principal: 'grace' })).toHaveLength(2);
  });

  it('asks support for the staff, and tells its events', async () => {
    guide.model.push(
      { toolCalls: [{ name: 'ask_support', input: { message: 'Where is order 7?' } }] },
      { toolCalls: [{ name: 'orders_find', input: { id: '7' } }] },
      'It is on its way.',
      'Order 7 is on its way.',
    );
    const stream = await guide.stream('/agent/chat/stream', { message: 'Order 7?' }, 'grace');
    const shown = JSON.parse(readFileSync(join(__dirname, 'asked.json'), 'utf8')) as AgentEvent[];
    const told = (await stream.all()).filter(
      ({ type, agent }) => type.startsWith('tool.') || (agent && type === 'agent.text.delta'),
    );
    expect(told).toMatchObject(shown);
  });

  it('has each option of forFeature once, and no other', () => {
    const listed = guideRows('agents', (heading) => heading === 'A further agent')
      .slice(2)
      .flatMap(([cell = '']) => cell.split(', ').map((name) => name.replaceAll('`', '')));
    const options = [...Object.keys(FEATURE_STATIC_CHECKS), ...Object.keys(FEATURE_CHECKS)];
    expect(listed.toSorted()).toEqual(options.toSorted());
  });

  it('injects an agent by name', async () => {
    guide.model.push('Hello.');
    const desk = guide.app.get(Desk);
    expect(await desk.ask('hi', 'grace')).toMatchObject({ message: 'Hello.' });
    expect(await desk.counts('grace')).toEqual([4, 1]);
  });
});
