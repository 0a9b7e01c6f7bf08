import type { AgentEvent, ChatResult } from 'nestjs-agent';
import { RunningDemo } from './support/demo/running-demo';

describe("the demo's agents on the offline model", () => {
  let demo: RunningDemo;
  let alice: string;
  let bob: string;
  beforeAll(async () => {
    demo = await RunningDemo.start();
    [alice, bob] = await Promise.all([demo.login('alice'), demo.login('bob')]);
  });
  afterAll(() => demo.close());

  const say = (path: string, token: string, message: string) =>
    demo.request<ChatResult>('POST', `${path}/chat`, { token, body: { message } });
  const toolsOf = async (path: string, token: string): Promise<readonly string[]> => {
    const { body } = await demo.request<readonly { readonly name: string }[]>(
      'GET',
      `${path}/tools`,
      { token },
    );
    return body.map(({ name }) => name);
  };

  it('have pages and endpoints of their own', async () => {
    for (const path of ['/guide', '/operations']) {
      const page = await fetch(new URL(`${path}/ui`, demo.address));
      expect(await page.text()).toContain('<agent-chat');
      expect(await demo.request('GET', `${path}/tools`)).toMatchObject({ status: 401 });
    }
  });

  it('may use different tools: the guide only reads', async () => {
    const [guide, operations] = [await toolsOf('/guide', bob), await toolsOf('/operations', bob)];
    expect(guide).toEqual(expect.arrayContaining(['list_applications', 'get_workflow']));
    expect(guide.filter((name) => /deploy|delete|roll/.test(name))).toEqual([]);
    expect(operations.toSorted()).toEqual([
      'check_health',
      'deploy_application',
      'get_application',
      'rollback_application',
    ]);
    expect(await demo.request('GET', '/operations/tools', { token: alice })).toMatchObject({
      status: 403,
    });
  });

  it('answer about the applications of whoever asks', async () => {
    const { body } = await say('/guide', alice, 'what applications do I have');
    expect(body.message).toMatch(/demo-app[^]*test-service/);
    expect(body.message).not.toContain('billing-worker');
    const asked = await demo.chat(alice, 'ask guide what applications I have');
    expect(asked.toolCalls).toMatchObject([
      { name: 'ask_guide', input: { message: 'what applications I have' }, isError: false },
    ]);
    expect(asked.message).toMatch(/demo-app[^]*test-service/);
    expect(asked.message.split('stand-in')).toHaveLength(2);
  });

  it('deploy on behalf of the default one, when the user agrees', async () => {
    const asked = await demo.chat(bob, 'ask operations to deploy billing-worker 1.13.0');
    expect(asked).toMatchObject({
      status: 'requires_action',
      pendingActions: [
        {
          type: 'approval',
          agent: 'operations',
          name: 'deploy_application',
          input: { name: 'billing-worker', version: '1.13.0' },
        },
      ],
    });
    const { body } = await demo.request<ChatResult>('POST', `/agent/runs/${asked.runId}/actions`, {
      token: bob,
      body: { actions: [{ callId: asked.pendingActions[0]?.callId, type: 'approve' }] },
    });
    expect(body).toMatchObject({ status: 'completed', message: expect.stringContaining('1.13.0') });
    const { body: application } = await demo.request('GET', '/applications/billing-worker', {
      token: bob,
    });
    expect(application).toMatchObject({ version: '1.13.0' });
  });

  it('do not deploy for alice, who is no admin', async () => {
    const events: readonly AgentEvent[] = await demo.stream(
      alice,
      'ask operations to deploy demo-app 9.0.0',
    );
    const results = events.filter(({ type }) => type === 'tool.result');
    expect(results).toMatchObject([{ name: 'ask_operations', isError: true }]);
    expect(JSON.stringify(results)).toContain('This needs the role admin.');
    expect(events.some(({ agent }) => agent !== undefined)).toBe(false);
  });
});
