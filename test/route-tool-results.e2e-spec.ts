import { ToolCallFactory } from 'nestjs-agent';
import { type AdapterName, RouteToolApplication } from './route-tools/route-tool-application';
import { attempts, PNG, ResultsController } from './route-tools/results.controller';

describe.each<AdapterName>(['express', 'fastify'])('results of route tools on %s', (adapter) => {
  let tools: RouteToolApplication;

  beforeAll(async () => {
    tools = await RouteToolApplication.start({
      adapter,
      controllers: [ResultsController],
      options: { tools: { retry: { initialBackoffMs: 1, maxBackoffMs: 2 } } },
    });
  });

  beforeEach(() => {
    Object.assign(attempts, { unavailable: 0, missing: 0, keys: [] });
  });

  afterAll(() => tools.close());

  const contentOf = async (name: string) => (await tools.call(`results_${name}`)).content;
  const errorOf = async (name: string) => (await tools.call(`results_${name}`)).error;

  it('are JSON values', async () => {
    expect(await tools.result('results_json')).toEqual({ list: [1, { a: null }] });
    expect(await tools.result('results_nothing')).toBeNull();
  });

  it('are text, in its own charset', async () => {
    expect(await tools.result('results_text')).toBe('just text');
    expect(await tools.result('results_latin')).toBe('café');
  });

  it('are nothing of an empty body', async () => {
    expect(await tools.result('results_empty')).toBeUndefined();
    expect(await contentOf('empty')).toBe('(empty)');
    expect(await tools.result('results_no_content')).toBeUndefined();
    expect(await contentOf('no_content')).toBe('Done');
  });

  it('are pictures and files', async () => {
    expect(await contentOf('image')).toEqual([
      { type: 'image', mediaType: 'image/png', data: PNG.toString('base64') },
    ]);
    expect(await contentOf('file')).toEqual([
      { type: 'file', mediaType: 'application/pdf', name: 'a report.pdf', data: 'AP8B' },
    ]);
  });

  it('are decompressed where the application insists on compression', async () => {
    expect(await tools.result('results_gzip')).toEqual({ small: true });
  });

  it('are the text of JSON that is none', async () => {
    expect(await tools.result('results_broken_json')).toBe('{"half":');
  });

  it('are cut where they are too long', async () => {
    const { result } = await tools.call('results_large_text');
    expect((result as string).length).toBeLessThan(4_300_000);
    expect(result).toContain('was cut');
  });

  it('say what kind of error it was, and the application’s own words', async () => {
    expect(await errorOf('unauthorized')).toEqual({
      code: 'unauthorized',
      message:
        'Authentication is needed: the caller is not logged in. 401 Unauthorized: Token expired',
    });
    expect(await errorOf('forbidden')).toEqual({
      code: 'forbidden',
      message: 'Permission denied: the caller may not do this. 403 Forbidden',
    });
    expect(await errorOf('missing')).toEqual({
      code: 'http_error',
      message: '404 Not Found: There is no application "x"',
    });
    expect((await errorOf('invalid'))?.message).toBe(
      '400 Bad Request: name must be a string; age must be a number',
    );
    expect((await errorOf('problem'))?.message).toBe('409 Conflict: It is locked');
  });

  it('never show a stack, a page or an unexpected error’s text', async () => {
    expect((await errorOf('crash'))?.message).toBe('500 Internal Server Error');
    expect((await errorOf('stack'))?.message).toBe('400 Bad Request');
    expect((await errorOf('page'))?.message).toBe('502 Bad Gateway: Bad');
  });

  it('say what an error’s body says in whatever form', async () => {
    expect((await errorOf('taken'))?.message).toBe('409 Conflict: The name is taken');
    expect((await errorOf('error_message'))?.message).toBe(
      '422 Unprocessable Entity: {"errorMessage":"The card was refused","code":"card_declined"}',
    );
  });

  it('of a write that succeeded tell of its success, whatever became of the response', async () => {
    const cut = await tools.call('results_cut');
    expect(cut).toMatchObject({ status: 'executed', attempts: 1 });
    expect(cut.content).toBe(
      'Done: the route answered with success (201). The rest of its response is missing. The response ended early.',
    );
    expect(attempts.missing).toBe(1);
    expect(await contentOf('large_file')).toMatch(/^Done: .* larger than 4194304 bytes/);
  });

  it.each([
    ['stalled', 201],
    ['stalled_again', 200],
  ])(
    'of a write that succeeded tell of it though its response did not end in time: %s',
    async (name, status) => {
      const stalled = await tools.call(`results_${name}`);
      expect(stalled).toMatchObject({ status: 'executed', attempts: 1 });
      expect(stalled.content).toBe(
        `Done: the route answered with success (${status}). The rest of its response is missing. The response had not ended when the call was stopped.`,
      );
      expect(attempts.missing).toBe(1);
    },
  );

  it('of a write tell of a time-out where it did not answer, and of any that only reads', async () => {
    expect(await errorOf('silent')).toEqual({
      code: 'timeout',
      message: 'The tool did not answer within 0.1 s and was stopped. Its effect is unknown.',
    });
    expect(attempts.missing).toBe(1);
    expect(await errorOf('stalled_reading')).toEqual({
      code: 'timeout',
      message: 'The tool did not answer within 0.1 s and was stopped.',
    });
  });

  it('come after another try where a reading route answered 5xx, never 4xx', async () => {
    expect((await errorOf('unavailable'))?.message).toBe('503 Service Unavailable: Maintenance');
    expect(attempts.unavailable).toBe(3);
    await errorOf('missing');
    expect(attempts.missing).toBe(1);
  });

  it('of a writing route come by one idempotency key', async () => {
    expect(await tools.result('results_keyed')).toEqual({ done: true });
    expect(attempts.keys).toHaveLength(2);
    expect(attempts.keys[0]).toMatch(/.{16,}/);
    expect(new Set(attempts.keys).size).toBe(1);
  });

  it('of a writing route come by a key of their caller’s own, whatever the ids of the calls', async () => {
    for (const principal of ['alice', 'bob', 'alice']) {
      const options = { principal, callId: 'call_1' };
      const { response } = await tools.app
        .get(ToolCallFactory)
        .create('results_keyed', {}, options);
      expect((await response.execute()).status).toBe('executed');
    }
    const [alice, bob, again] = attempts.keys.filter((key, at, all) => key !== all[at - 1]);
    expect(bob).not.toBe(alice);
    expect(again).toBe(alice);
  });

  it('are no redirect’s target', async () => {
    expect((await errorOf('redirect'))?.message).toBe(
      'The route answered with a redirect (302) to "https://evil.test/steal", which is not followed.',
    );
  });
});
