// The guides as a site. They stay in docs/; nothing is copied. The whole repository is the root, so
// that a link is resolved as a code host resolves it, and then points at the site's own page.
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { anchorOf } from '../../scripts/docs/markdown.mjs';
import { root } from '../../scripts/package/paths.mjs';
import { projectAddresses } from '../../scripts/project/addresses.mjs';
import { checkPages } from '../check-pages.mjs';
import { documents, pageOf, siteLink } from '../links.mjs';
import { navigation, sidebar } from '../navigation.mjs';

const addresses = projectAddresses();
const { version, description } = readJson('libs/agent/package.json');
const made = {
  reference: join(root, 'dist/docs/api'),
  openapi: join(root, 'dist/docs/openapi.json'),
};
const pages = new Set(documents());
/** The star of the chat page. */
const ICON = encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="#3b51c6" d="m12 1 3 8 8 3-8 3-3 8-3-8-8-3 8-3z"/></svg>`,
);

/** Links between documents, and to source files, as the site needs them. */
function linksOfTheSite(markdown) {
  markdown.core.ruler.push('links-of-the-site', ({ tokens, env }) => {
    const document = relative(root, env.realPath ?? env.path).replaceAll('\\', '/');
    if (!pages.has(document)) return;
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      if (token.type !== 'link_open') continue;
      token.attrSet('href', siteLink(document, token.attrGet('href')));
    }
  });
}

export default {
  title: 'nestjs-agent',
  description,
  lang: 'en',
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `data:image/svg+xml,${ICON}` }]],
  srcDir: '..',
  outDir: '../dist/site',
  cacheDir: './.vitepress/cache',
  base: addresses?.siteBase ?? '/',
  ...(addresses && { sitemap: { hostname: addresses.site } }),
  srcExclude: [
    'README.md',
    'docs/api/**',
    'docs/snippets/**',
    '{apps,bench,deploy,examples,libs,scripts,test,.github,.changes}/**',
  ],
  rewrites: (page) => pageOf(page),
  lastUpdated: false,
  markdown: {
    anchor: { slugify: anchorOf },
    languageAlias: { mts: 'ts' },
    config: linksOfTheSite,
  },
  ignoreDeadLinks: [/^\/api\//],
  themeConfig: {
    nav: navigation(version),
    sidebar: sidebar(),
    outline: [2, 3],
    search: { provider: 'local' },
    footer: { message: `MIT licence · version ${version}` },
    ...(addresses && {
      socialLinks: [{ icon: 'github', link: addresses.repository }],
      editLink: { pattern: `${addresses.repository}/edit/main/:path`, text: 'Edit this page' },
    }),
  },
  vite: {
    plugins: [
      {
        // The pages lie outside of this folder, where no Vue is installed.
        name: 'vue-of-the-site',
        enforce: 'pre',
        resolveId(id) {
          if (!/^vue(\/|$)/.test(id)) return undefined;
          return this.resolve(id, join(root, 'site/index.md'), { skipSelf: true });
        },
      },
    ],
    server: { fs: { allow: [root] } },
    build: { chunkSizeWarningLimit: 2_000 },
  },
  buildEnd: ({ outDir }) => {
    for (const [name, path] of Object.entries(made)) {
      if (!existsSync(path)) throw new Error(`There is no ${name} in dist/docs: npm run site`);
    }
    cpSync(made.reference, join(outDir, 'api'), { recursive: true });
    cpSync(made.openapi, join(outDir, 'openapi.json'));
    checkPages(outDir, addresses?.siteBase ?? '/');
  },
};

function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'));
}
