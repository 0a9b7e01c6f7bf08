import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import { AppModule } from './app.module';
import { configure } from './configure';
import { HiddenModule } from './hidden.module';

const apps: NestExpressApplication[] = [];
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

async function serve(module: Type<unknown>) {
  const testing = await Test.createTestingModule({ imports: [module] }).compile();
  const app = testing.createNestApplication<NestExpressApplication>({ logger: false });
  apps.push(app);
  app.useStaticAssets(__dirname);
  configure(app);
  await app.init();
  return request(app.getHttpServer());
}

describe('the guide to the chat page', () => {
  it('shows the policy that the pages are sent with', async () => {
    const http = await serve(AppModule);
    const shown = readFileSync(join(__dirname, 'policy.txt'), 'utf8');
    for (const path of ['/agent/ui', '/agent/ui/sidebar']) {
      const { headers } = await http.get(path).expect(200);
      const policy = String(headers['content-security-policy']);
      expect(policy.replace(/'nonce-[^']+'/, "'nonce-…'").split('; ')).toEqual(
        shown.trim().split('\n'),
      );
      expect(headers['cache-control']).toBe('no-store');
    }
  });

  it('lets everybody see the page, and nobody use it without a log-in', async () => {
    const http = await serve(AppModule);
    const { text } = await http.get('/agent/ui').expect(200);
    expect(text).toContain('data-login-url="/login.html" data-headers-key="shop.headers"');
    expect(text).toContain('<script src="/refresh.js" type="module"></script>');
    expect(text).toContain('heading="Shop assistant"');
    await http.get('/agent/ui/agent-chat.js').expect(200);
    await http.get('/agent/tools').expect(401);
    await http.get('/agent/tools').set('authorization', 'Bearer ada').expect(200);
  });

  it('can hide the page too', async () => {
    const http = await serve(HiddenModule);
    for (const path of ['ui', 'ui/agent-chat.js', 'health']) {
      await http.get(`/agent/${path}`).expect(401);
      await http.get(`/agent/${path}`).set('authorization', 'Bearer ada').expect(200);
    }
  });

  it('answers a page of another domain that was allowed, and hands the files out anywhere', async () => {
    process.env.SHOP_ORIGIN = 'https://shop.example';
    const http = await serve(AppModule);
    delete process.env.SHOP_ORIGIN;
    const asked = await http
      .options('/agent/chat/stream')
      .set('origin', 'https://shop.example')
      .set('access-control-request-method', 'POST')
      .set('access-control-request-headers', 'authorization,content-type,x-agent-session');
    expect(asked.headers).toMatchObject({
      'access-control-allow-origin': 'https://shop.example',
      'access-control-allow-headers': 'authorization,content-type,x-agent-session',
    });
    expect(asked.headers['access-control-allow-methods']).toContain('DELETE');
    await http
      .get('/assets/agent-chat.mjs')
      .expect(200)
      .expect('content-type', /javascript/);
  });

  // What these files do in a browser is seen by test/ui/chat-page-guide.ui-spec.ts.
  it.each(['widget.html', 'shop.html', 'french.html', 'login.html'])(
    '%s loads what is there',
    async (page) => {
      const http = await serve(AppModule);
      const { text } = await http.get(`/${page}`).expect(200);
      const loaded = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path);
      const own =
        { 'shop.html': ['shop.css', 'shop.js', 'refresh.js'], 'login.html': ['login.js'] }[page] ??
        [];
      expect(loaded).toEqual(expect.arrayContaining(own));
      for (const path of loaded) await http.get(new URL(path, 'http://x/').pathname).expect(200);
    },
  );

  it('imports the widget by the name that the package exports', () => {
    const { exports } = JSON.parse(
      readFileSync(join(__dirname, '../../../libs/agent/package.json'), 'utf8'),
    ) as { exports: Record<string, { default: string }> };
    const [, name = ''] =
      /^import '([^']+)'/.exec(readFileSync(join(__dirname, 'bundled.js'), 'utf8')) ?? [];
    expect(exports[name.replace('nestjs-agent', '.')]?.default).toMatch(/agent-chat\.mjs$/);
  });
});
