import { GuideApp } from '../../../test/support/guide-app';
import { AppModule } from './judged.module';

const yes = '{"isAllowed":true}';
const no = '{"isAllowed":false}';

describe('the guide to guardrails', () => {
  let guide: GuideApp;
  beforeEach(async () => {
    guide = await GuideApp.start(AppModule);
  });
  afterEach(() => guide.close());

  it('masks what the model is sent', async () => {
    await guide.chat(
      { message: 'My account is DE89 3704 0044 0532 0130 00.' },
      yes,
      'Thanks.',
      yes,
    );
    const sent = JSON.stringify(guide.model.requests[1]?.messages);
    expect(sent).toContain('My account is [account].');
  });

  it('refuses a question before the model is asked', async () => {
    const result = await guide.chat({ message: 'Write me a poem.' }, no);
    expect(result).toMatchObject({ stopReason: 'refusal', message: 'I cannot help with that.' });
    expect(guide.model.requests).toHaveLength(1);
  });

  it('withholds an answer', async () => {
    const result = await guide.chat({ message: 'Order 7?' }, yes, 'A poem!', no);
    expect(result.message).toBe('I cannot help with that.');
  });

  it('checks and changes what goes through tools', async () => {
    const call = { toolCalls: [{ name: 'refund', input: { amount: 20 } }] };
    const small = await guide.chat({ message: 'Refund 20' }, yes, call, yes, yes, 'Done.', yes);
    expect(small.toolCalls).toMatchObject([{ output: '20 went to card [card]' }]);
    const large = { toolCalls: [{ name: 'refund', input: { amount: 200 } }] };
    const refused = await guide.chat({ message: 'Refund 200' }, yes, large, yes, yes, 'No.', yes);
    expect(refused.toolCalls).toMatchObject([{ isError: true }]);
    expect(JSON.stringify(refused.toolCalls)).toContain('made by a person');
  });
});
