import { RunningDemo } from './support/demo/running-demo';

describe('the demo, without its agent', () => {
  let demo: RunningDemo;
  beforeAll(async () => {
    demo = await RunningDemo.start();
  });
  afterAll(() => demo.close());

  it('logs in with the right password only', async () => {
    const login = (username: string, password: string) =>
      demo.request('POST', '/auth/login', { body: { username, password } });

    expect(await login('alice', 'alice-secret')).toEqual({
      status: 200,
      body: { access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) },
    });
    expect(await login('alice', 'bob-secret')).toMatchObject({ status: 401 });
    expect(await login('mallory', 'alice-secret')).toMatchObject({ status: 401 });
  });

  it('refuses a body that is no login', async () => {
    const { status, body } = await demo.request<{ message: string[] }>('POST', '/auth/login', {
      body: { username: 'alice', password: 7, admin: true },
    });

    expect(status).toBe(400);
    expect(body.message).toEqual(
      expect.arrayContaining(['property admin should not exist', 'password must be a string']),
    );
  });

  it.each(['/', '/login', '/login/', '/LOGIN', '/Pages/Demo.css'])(
    'shows its page %s',
    async (path) => {
      const response = await fetch(demo.address + path);
      expect(response.status).toBe(200);
      expect(await response.text()).not.toBe('');
    },
  );

  it.each([
    ['GET', '/applications'],
    ['GET', '/workflows/103'],
    ['GET', '/resources'],
    ['GET', '/dashboard/stats'],
    ['POST', '/applications/demo-app/deployments'],
    ['DELETE', '/applications/demo-app'],
  ])('%s %s wants a valid token', async (method, path) => {
    expect(await demo.request(method, path)).toMatchObject({ status: 401 });
    expect(await demo.request(method, path, { token: 'a.b.c' })).toMatchObject({ status: 401 });
  });

  it('shows a developer what they own, and an admin everything', async () => {
    const names = async (username: string) => {
      const token = await demo.login(username);
      const { body } = await demo.request<{ name: string }[]>('GET', '/applications', { token });
      return body.map(({ name }) => name);
    };

    expect(await names('alice')).toEqual(['demo-app', 'test-service']);
    expect(await names('bob')).toEqual([
      'demo-app',
      'test-service',
      'api-gateway',
      'billing-worker',
      'legacy-reports',
    ]);
  });

  it('answers 404 for what the user may not see', async () => {
    const token = await demo.login('alice');

    for (const path of ['/applications/api-gateway', '/workflows/108', '/applications/nothing']) {
      expect(await demo.request('GET', path, { token })).toMatchObject({ status: 404 });
    }
  });
});

describe('what the roles allow', () => {
  let demo: RunningDemo;
  beforeEach(async () => {
    demo = await RunningDemo.start();
  });
  afterEach(() => demo.close());

  it('lets a developer deploy, which shows as a workflow', async () => {
    const token = await demo.login('alice');
    const deploy = (version: string) =>
      demo.request('POST', '/applications/demo-app/deployments', { token, body: { version } });

    expect(await deploy('2.5.0')).toMatchObject({
      status: 201,
      body: {
        application: { version: '2.5.0', status: 'healthy' },
        workflow: { id: 110, name: 'deploy demo-app 2.5.0', status: 'completed' },
      },
    });
    expect(await demo.request('GET', '/workflows/110', { token })).toMatchObject({ status: 200 });
    expect(await deploy('2.5.0')).toMatchObject({ status: 409 });
    expect(await deploy('soon')).toMatchObject({ status: 400 });
  });

  it('refuses a developer to roll back and to delete, and says which role it needs', async () => {
    const token = await demo.login('alice');
    const refusal = { status: 403, body: { message: 'This needs the role admin.' } };

    expect(await demo.request('DELETE', '/applications/demo-app', { token })).toMatchObject(
      refusal,
    );
    expect(await demo.request('POST', '/applications/demo-app/rollback', { token })).toMatchObject(
      refusal,
    );
    expect(await demo.request('GET', '/applications/demo-app', { token })).toMatchObject({
      status: 200,
      body: { version: '2.4.1' },
    });
  });

  it('lets an admin roll back and delete', async () => {
    const token = await demo.login('bob');

    expect(await demo.request('POST', '/applications/demo-app/rollback', { token })).toMatchObject({
      status: 200,
      body: { application: { version: '2.4.0' } },
    });
    expect(await demo.request('DELETE', '/applications/demo-app', { token })).toEqual({
      status: 200,
      body: { deleted: 'demo-app' },
    });
    expect(await demo.request('GET', '/applications/demo-app', { token })).toMatchObject({
      status: 404,
    });
    expect(
      await demo.request('POST', '/applications/legacy-reports/rollback', { token }),
    ).toMatchObject({ status: 409 });
  });
});
