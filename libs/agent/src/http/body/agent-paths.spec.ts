import { agentPaths } from './agent-paths';

const LIMITS = { bodyBytes: 10, attachmentBytes: 20, uiBodyBytes: 40 };

describe('agentPaths', () => {
  const paths = agentPaths(['agent'], LIMITS);

  it.each([
    '/chat',
    '/agent',
    '/myagent/chat',
    '/agent/chat/other',
    '/agent/runs/a/b/actions',
    '/orders?to=/agent/chat2',
  ])('leaves %s to the application', (url) => {
    expect(paths.limitOf(url)).toBeUndefined();
  });

  it.each([
    ['/agent/chat', 30],
    ['/agent/chat/?debug=1', 30],
    ['/api/v1/agent/chat/stream', 30],
    ['/AGENT/Chat', 30],
    ['/agent/chat/stream', 30],
    ['/agent/chat/tool-result', 10],
    ['/agent/runs/run_1/actions', 10],
    ['/agent/runs/:runId/actions', 10],
    ['/agent/v1/chat/completions', 60],
  ])('takes as much at %s as is due there', (url, bytes) => {
    expect(paths.limitOf(url)).toBe(bytes);
  });

  it('takes no more small values where pictures may be attached', () => {
    expect(paths.structureLimitOf('/agent/chat/stream')).toBe(10);
    expect(paths.structureLimitOf('/agent/v1/chat/completions')).toBe(40);
    expect(paths.structureLimitOf('/agent/chat/tool-result')).toBeUndefined();
    const without = agentPaths(['agent'], { ...LIMITS, attachmentBytes: false });
    expect(without.structureLimitOf('/agent/chat')).toBeUndefined();
  });

  it('treats a path as literal text, not as a pattern', () => {
    expect(agentPaths(['a.b'], LIMITS).limitOf('/axb/chat')).toBeUndefined();
    expect(agentPaths(['a.b'], LIMITS).limitOf('/a.b/chat')).toBe(30);
    expect(agentPaths([''], LIMITS).limitOf('/chat')).toBe(30);
  });

  it.each([
    ['agent', 'admin/agent'],
    ['', 'agent'],
    ['agent', ':tenant/agent'],
  ])('reads for each agent what is its own: %j beside %j', (path, other) => {
    const url = (of: string) => `/${of === '' ? '' : `${of}/`}v1/chat/completions`;
    const both = agentPaths([path, other], LIMITS);
    expect([path, other].map((of) => both.limitOf(url(of)))).toEqual([60, 60]);
    expect([path, other].map((of) => both.isOpenAi(url(of)))).toEqual([true, true]);
    expect(both.limitOf('/agents/orders')).toBeUndefined();
  });

  it("tells OpenAI's protocol from its own", () => {
    expect(paths.isOpenAi('/agent/v1/chat/completions')).toBe(true);
    expect(paths.isOpenAi('/agent/chat')).toBe(false);
  });
});
