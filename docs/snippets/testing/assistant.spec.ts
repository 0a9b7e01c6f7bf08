import request from 'supertest';
import { startApp, type TestApp } from './start-app';

// #region chat
describe('the assistant', () => {
  let test: TestApp;
  beforeEach(async () => {
    test = await startApp();
  });
  afterEach(() => test.app.close());

  it('looks an order up for the user', async () => {
    test.model.push({ toolCalls: [{ name: 'get_order', input: { id: 17 } }] }, 'It is open.');
    const { body } = await request(test.app.getHttpServer())
      .post('/agent/chat')
      .set('authorization', 'Bearer ada')
      .send({ message: 'Where is order 17?' });
    expect(body).toMatchObject({
      status: 'completed',
      message: 'It is open.',
      toolCalls: [{ name: 'get_order', output: '{"id":17,"status":"open"}', isError: false }],
    });
    expect(test.model.requests[0]?.tools.map(({ name }) => name)).toContain('get_order');
    test.model.assertComplete();
  });
});
// #endregion chat
