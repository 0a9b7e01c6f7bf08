import type { ChatResult } from 'nestjs-agent';
import request from 'supertest';
import { startApp, type TestApp } from './start-app';

describe('an approval', () => {
  let test: TestApp;
  beforeEach(async () => {
    test = await startApp();
  });
  afterEach(() => test.app.close());

  // #region approval
  async function post(user: string, path: string, body: object): Promise<request.Response> {
    const http = request(test.app.getHttpServer());
    return http.post(`/agent${path}`).set('authorization', `Bearer ${user}`).send(body);
  }

  it('is for the user who asked, and for the call they saw', async () => {
    test.model.push({ toolCalls: [{ name: 'cancel_order', input: { id: 17 } }] }, 'Cancelled.');
    const { body } = await post('ada', '/chat', { message: 'Cancel order 17' });
    const { status, runId, pendingActions } = body as ChatResult;
    expect(status).toBe('requires_action');
    expect(test.audit).toEqual([]); // nothing has run

    const actions = pendingActions.map(({ callId }) => ({ callId, type: 'approve' }));
    const stranger = await post('grace', `/runs/${runId}/actions`, { actions });
    expect(stranger.status).toBe(404);
    const owner = await post('ada', `/runs/${runId}/actions`, { actions });
    expect(owner.body).toMatchObject({ message: 'Cancelled.', toolCalls: [{ isError: false }] });
    expect(test.audit).toMatchObject([
      { tool: 'cancel_order', principal: 'ada', outcome: 'executed', approval: 'approved' },
    ]);
  });

  it("does not reach further than the user's own rights", async () => {
    test.model.push({ toolCalls: [{ name: 'cancel_order', input: { id: 17 } }] }, 'I may not.');
    const { body } = await post('grace', '/chat', { message: 'Cancel order 17' });
    const { runId, pendingActions } = body as ChatResult;
    const actions = pendingActions.map(({ callId }) => ({ callId, type: 'approve' }));
    const { body: done } = await post('grace', `/runs/${runId}/actions`, { actions });
    expect(done).toMatchObject({ toolCalls: [{ isError: true }] });
  });
  // #endregion approval
});
