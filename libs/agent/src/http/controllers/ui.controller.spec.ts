import { map } from 'rxjs';
import request from 'supertest';
import { ADAPTERS, httpApp, type HttpAppOptions } from '../fixtures/http-app';

const POLICY =
  /^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-([\w+/=]+)'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'$/;

describe.each(ADAPTERS)('the chat page on %s', (adapter) => {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });
  const serve = async (options: Partial<HttpAppOptions> = {}): Promise<string> => {
    const app = await httpApp({ agent: {}, ...options, adapter });
    closers.push(() => app.close());
    return app.getUrl();
  };

  it.each(['/agent/ui', '/agent/ui/sidebar'])(
    '%s is a page with a nonce of its own',
    async (path) => {
      const url = await serve();
      const [first, second] = [await request(url).get(path), await request(url).get(path)];
      expect(first.status).toBe(200);
      expect(first.headers['content-type']).toBe('text/html; charset=utf-8');
      const [, nonce = ''] = POLICY.exec(first.headers['content-security-policy'] ?? '') ?? [];
      expect(first.text).toContain('<link rel="icon" href="data:image/svg+xml,');
      expect(first.text).toContain(`<style nonce="${nonce}">`);
      expect(first.text).not.toMatch(/<script(?![^>]*\ssrc=)|\sstyle=|\son\w+=/);
      expect(second.text).not.toContain(nonce);
    },
  );

  it('hands out its scripts, and nothing else', async () => {
    const url = await serve();
    for (const name of ['agent-chat.js', 'agent-chat.mjs', 'page.js', 'sidebar.js', 'log-in.js']) {
      const response = await request(url).get(`/agent/ui/${name}`);
      expect(response.status).toBe(200);
      expect(response.headers['content-type']).toBe('text/javascript; charset=utf-8');
      expect(response.headers['x-content-type-options']).toBe('nosniff');
    }
    for (const name of ['other.js', '..%2findex.js', '__proto__', 'constructor']) {
      const response = await request(url).get(`/agent/ui/${name}`);
      expect(response.body).toMatchObject({ statusCode: 404, code: 'not_found' });
    }
  });

  it('stays as it is whatever prefix, path and interceptors there are', async () => {
    const url = await serve({
      controllers: { path: 'assistant' },
      interceptor: { intercept: (_context, next) => next.handle().pipe(map((data) => ({ data }))) },
      prepare: (app) => app.setGlobalPrefix('api'),
    });
    const page = await request(url).get('/api/assistant/ui');
    expect(page.text).toContain('src="./ui/agent-chat.js"');
    expect(page.text).toContain('endpoint="."');
    const script = await request(url).get('/api/assistant/ui/agent-chat.js');
    expect(script.text).not.toMatch(/^\{"data"/);
  });

  it('escapes values from the application', async () => {
    const ui = { loginUrl: '/log-in?a="><script>', headersKey: '"x"', script: '/"><b>' };
    const url = await serve({ http: { name: '<b>"&', ui } });
    const { text } = await request(url).get('/agent/ui');
    expect(text).toContain('heading="&lt;b&gt;&quot;&amp;"');
    expect(text).toContain('data-login-url="/log-in?a=&quot;&gt;&lt;script&gt;"');
    expect(text).toContain('data-headers-key="&quot;x&quot;"');
    expect(text).toContain('<script src="/&quot;&gt;&lt;b&gt;" type="module"></script>');
  });

  it.each([
    [undefined, '<html lang="en">'],
    ['de-CH', '<html lang="de-CH">'],
    ['ar', '<html lang="ar" dir="rtl">'],
  ])('is in the language %s', async (lang, element) => {
    const url = await serve(lang === undefined ? {} : { http: { ui: { lang } } });
    const { text } = await request(url).get('/agent/ui');
    expect(text).toContain(element);
  });

  it('says nothing of storage or a log-in by default', async () => {
    const { text } = await request(await serve()).get('/agent/ui');
    expect(text).not.toContain('data-');
  });
});
