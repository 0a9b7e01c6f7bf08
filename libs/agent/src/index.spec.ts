import * as api from '.';

describe('the public API', () => {
  it.each([
    ...['AgentModule', 'Tool', 'Toolkit', 'ToolParam', 'ToolField', 'ToolReturn'],
    ...['ToolContext', 'ToolEmitter', 'AgentRun', 'ToolError', 'ToolResult'],
    ...['ToolRegistry', 'ToolCallFactory', 'ToolLoader', 'defineTool'],
    ...['AgentService', 'SessionService', 'AGENT_MODEL', 'SESSION_STORE', 'AUDIT_SINK'],
    ...['openai', 'offline', 'fallback', 'react', 'defineModel', 'memoryStore'],
  ])('has %s', (name) => {
    expect(api).toHaveProperty(name, expect.anything());
  });

  it('has the class of every error that users may meet', () => {
    const errors = Object.entries(api).filter(([name]) => name.endsWith('Error'));
    const strays = errors.filter(
      ([, value]) =>
        value !== api.AgentError &&
        !((value as { readonly prototype: unknown }).prototype instanceof api.AgentError),
    );
    expect(strays).toEqual([]);
    expect(errors.map(([name]) => name)).toEqual(
      expect.arrayContaining(['ModelError', 'UnknownPrincipalError', 'ToolTimeoutError']),
    );
  });

  it.each([
    ...['SessionCompactor', 'SessionSweeper', 'TokenCounter', 'planCompaction', 'transcriptOf'],
    ...['OpenAiModel', 'OfflineModel', 'isJsonObject', 'addUsage'],
  ])('keeps %s to itself', (name) => {
    expect(api).not.toHaveProperty(name);
  });
});
