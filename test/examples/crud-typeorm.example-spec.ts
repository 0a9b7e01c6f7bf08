import type { ChatResult } from 'nestjs-agent';
import { describeReadme } from './support/readme';

describeReadme('crud-typeorm', (example) => {
  it('writes what the user approves, as that user', async () => {
    const logIn = async (username: string) => {
      const body = { username, password: `${username}-secret` };
      const { token } = (await example().post('/auth/login', body)) as { token: string };
      return { authorization: `Bearer ${token}` };
    };
    const ada = await logIn('ada');
    const ask = (message: string, headers: Record<string, string>) =>
      example().post('/agent/chat', { message }, headers) as Promise<ChatResult>;
    const asked = await ask('create a task with title "buy bread"', ada);
    const [action] = asked.pendingActions;
    const actions = [{ type: 'approve', callId: action?.callId }];
    await example().post(`/agent/runs/${asked.runId}/actions`, { actions }, ada);

    const [ofAda, ofGrace] = [
      await ask('list my tasks', ada),
      await ask('list my tasks', await logIn('grace')),
    ];
    expect(ofAda.toolCalls[0]?.output).toContain('"title":"buy bread"');
    expect(ofGrace.toolCalls[0]?.output).toBe('[]');
  });
});
