import { HttpException } from '@nestjs/common';
import { agentFixture, type AgentFixture } from '../../run/fixtures/agent-fixture';
import { ClientThreads } from '.';

describe('ClientThreads', () => {
  let fixture: AgentFixture;
  let threads: ClientThreads;

  beforeEach(async () => {
    fixture = await agentFixture({ steps: ['Hello.', 'Hello again.'] });
    threads = new ClientThreads(fixture.sessions, {});
  });
  afterEach(() => fixture.module.close());

  it('gives each user a session of their own for the same id', async () => {
    expect(await threads.find('main', 'alice')).toBeUndefined();
    const hers = await threads.begin('main', 'alice');
    const his = await threads.begin('main', 'bob');
    expect(hers.sessionId).toMatch(/^ses_[\w-]{43}$/);
    expect(his.sessionId).not.toBe(hers.sessionId);
    expect(await threads.find('main', 'alice')).toMatchObject({ sessionId: hers.sessionId });
    expect(await threads.find('main', undefined)).toBeUndefined();
  });

  it('separates principal and id, so that none can be shifted into the other', async () => {
    const one = await threads.begin('bc', 'a');
    const other = await threads.begin('c', 'ab');
    expect(one.sessionId).not.toBe(other.sessionId);
  });

  it('leads two tabs that begin at once to one session', async () => {
    const both = await Promise.all([
      threads.begin('main', 'alice'),
      threads.begin('main', 'alice'),
    ]);
    expect(both[0].sessionId).toBe(both[1].sessionId);
  });

  it("takes the id of the caller's own session as it is, with what it waits for", async () => {
    const { sessionId, runId } = await fixture.agent.chat(
      { message: 'hi' },
      { principal: 'alice' },
    );
    expect(await threads.find(sessionId, 'alice')).toMatchObject({
      sessionId,
      run: { runId, status: 'completed', pendingActions: [] },
    });
    expect(await threads.find(sessionId, 'bob')).toBeUndefined();
    expect(await threads.find(sessionId, undefined)).toBeUndefined();
  });

  it("begins one's own session under an id that is another's", async () => {
    const { sessionId } = await fixture.agent.chat({ message: 'hi' }, { principal: 'alice' });
    const his = await threads.begin(sessionId, 'bob');
    expect(his.sessionId).not.toBe(sessionId);
  });

  it('lets those who are not logged in name only ids that the server issued', async () => {
    const begun = await threads.begin('main', undefined);
    expect(await threads.find('main', undefined)).toBeUndefined();
    expect(await threads.find(begun.sessionId, undefined)).toMatchObject(begun);
    expect((await threads.begin('main', undefined)).sessionId).not.toBe(begun.sessionId);
  });

  it.each([undefined, null, 7, '', 'x'.repeat(257), {}])('refuses the id %p', async (id) => {
    await expect(threads.find(id, 'alice')).rejects.toBeInstanceOf(HttpException);
    await expect(threads.begin(id, 'alice')).rejects.toBeInstanceOf(HttpException);
  });
});
