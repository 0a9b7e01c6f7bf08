import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SITE = join(__dirname, '../../site');

/** Runs a module of the site, which Jest cannot import in this form. */
function run(file: string, code: string): { readonly out: string; readonly error: string } {
  const script = `const site = await import(${JSON.stringify(join(SITE, file))});\n${code}`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  });
  return { out: stdout, error: stderr };
}

describe('a link of a document on the site', () => {
  it.each([
    ['docs/start.md', 'sessions.md#stores', '/sessions.html#stores'],
    [
      'docs/architecture.md',
      'decisions/0002-provider-invocation.md',
      '/decisions/0002-provider-invocation.html',
    ],
    ['docs/stability.md', '../CHANGELOG.md', '/changelog.html'],
    ['CONTRIBUTING.md', 'docs/architecture.md', '/architecture.html'],
    ['docs/decisions/0002-provider-invocation.md', '../../README.md', '/'],
    [
      'docs/security.md',
      '../test/security-fuzz.e2e-spec.ts',
      '/source/test/security-fuzz.e2e-spec.ts.html',
    ],
    ['docs/react.md', '../apps/react/use-chat.html', '/source/apps/react/use-chat-html.html'],
    ['docs/examples.md', '../examples/minimal', '/source/examples/minimal.html'],
    ['docs/start.md', '../examples/fastify/README.md', '/source/examples/fastify/README-md.html'],
    ['docs/react.md', '#start', '#start'],
    ['docs/react.md', 'https://a.example/b.md', 'https://a.example/b.md'],
  ])('in %s, %s leads to %s', (document, target, link) => {
    const call = `console.log(site.siteLink(${JSON.stringify(document)}, ${JSON.stringify(target)}));`;
    expect(run('links.mjs', call)).toEqual({ out: `${link}\n`, error: '' });
  });
});

describe('the check of built pages', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'nestjs-agent-site-'));
    mkdirSync(join(folder, 'sub'));
    writeFileSync(join(folder, 'index.html'), '<h1 id="top">A</h1>');
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const check = (links: string) => {
    writeFileSync(join(folder, 'sub/page.html'), links);
    return run('check-pages.mjs', `site.checkPages(${JSON.stringify(folder)}, '/base/');`).error;
  };

  it('has nothing to say of pages, headings and other hosts that are there', () => {
    const links = [
      '/base/',
      '/base/#top',
      '../index.html#top',
      'https://a.example/gone',
      'page.html',
    ];
    expect(check(links.map((link) => `<a class="x" href="${link}">`).join(''))).toBe('');
  });

  it.each(['/base/gone.html', '/index.html', '/base/#gone', 'gone.html', '#gone'])(
    'fails the build for %s, which leads nowhere',
    (link) => {
      expect(check(`<a href="${link}">`)).toContain(`sub/page.html links to ${link}`);
    },
  );
});
