import { agentPaths } from './agent-paths';

describe('agentPaths', () => {
  const paths = agentPaths('agent');

  it.each([
    '/agent/chat',
    '/agent/chat/?debug=1',
    '/api/v1/agent/chat/stream',
    '/AGENT/Chat',
    '/agent/runs/run_1/actions',
    '/agent/runs/:runId/actions',
    '/agent/v1/chat/completions',
  ])('knows %s for its own', (url) => {
    expect(paths.takesBody(url)).toBe(true);
  });

  it.each([
    '/chat',
    '/agent',
    '/myagent/chat',
    '/agent/chat/other',
    '/agent/runs/a/b/actions',
    '/orders?to=/agent/chat2',
  ])('leaves %s to the application', (url) => {
    expect(paths.takesBody(url)).toBe(false);
  });

  it('takes a path for what it says, not for a pattern', () => {
    expect(agentPaths('a.b').takesBody('/axb/chat')).toBe(false);
    expect(agentPaths('a.b').takesBody('/a.b/chat')).toBe(true);
    expect(agentPaths('').takesBody('/chat')).toBe(true);
  });

  it.each([
    ['agent', 'admin/agent'],
    ['', 'agent'],
    ['agent', ':tenant/agent'],
  ])('leaves to another agent what is that one: %j beside %j', (path, other) => {
    const url = (of: string) => `/${of === '' ? '' : `${of}/`}v1/chat/completions`;
    const [short, long] = [agentPaths(path, [path, other]), agentPaths(other, [path, other])];
    expect([short.takesBody(url(path)), long.takesBody(url(path))]).toEqual([true, false]);
    expect([short.takesBody(url(other)), long.takesBody(url(other))]).toEqual([false, true]);
    expect([short.isOpenAi(url(other)), long.isOpenAi(url(other))]).toEqual([false, true]);
  });

  it("tells OpenAI's protocol from its own", () => {
    expect(paths.isOpenAi('/agent/v1/chat/completions')).toBe(true);
    expect(paths.isOpenAi('/agent/chat')).toBe(false);
  });
});
