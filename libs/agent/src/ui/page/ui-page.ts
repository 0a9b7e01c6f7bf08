/** Settings of a page from the surrounding application. */
export interface UiPageOptions {
  /** The heading of the chat. */
  readonly heading: string;
  /** The folder of the scripts, relative to the page's address or absolute. */
  readonly assets: string;
  /** The address of the agent's endpoints, relative or absolute. */
  readonly endpoint: string;
  /** Allows this page's own style in the content security policy. */
  readonly nonce: string;
  /** The login page for anonymous users. */
  readonly loginUrl?: string;
  /** The key in the tab's `sessionStorage` under which the application's login stores headers. */
  readonly headersKey?: string;
  /** A module script of the application that configures the element. */
  readonly script?: string;
  /** The language of the page, a tag; `en` by default. */
  readonly lang?: string;
}

const PAGE_STYLE = `html { color-scheme: light dark; } html, body { height: 100%; margin: 0; }
agent-chat { height: 100vh; height: 100dvh; }`;

const WORKBENCH_STYLE = 'html { color-scheme: light dark; } html, body { margin: 0; }';

const SIDEBAR_STYLE = `html { color-scheme: light dark; }
html[data-theme=light] { color-scheme: light; } html[data-theme=dark] { color-scheme: dark; }
body { margin: 0; font: 16px/1.6 system-ui, sans-serif; background: light-dark(#f4f5f8, #101216);
color: light-dark(#1b1e27, #e9ebf1); } main { box-sizing: border-box; max-width: 38rem; margin: 0; padding: 2rem 1.5rem; }
code { font-family: ui-monospace, monospace; } a { color: light-dark(#3b53c4, #a9b8ff); }`;

/** Within the page: for an address, a browser would ask the server, or its policy refuse it. */
const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#3b53c4" d="M3 1h10a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H8l-4 3v-3H3a2 2 0 0 1-2-2V3a2 2 0 0 1 2-2z"/></svg>',
)}`;

/** The chat page, which contains only the element. */
export function chatPage(options: UiPageOptions): string {
  return html(options, {
    style: PAGE_STYLE,
    script: 'page.js',
    defines: 'agent-chat.js',
    body: `<main>${element(options, 'agent-chat mode="page"')}</main>`,
  });
}

/** An example of the element beside a page that the agent can read and change. */
export function sidebarPage(options: UiPageOptions): string {
  const tools = 'get_page_info show_notification set_theme draw_svg';
  return html(options, {
    style: SIDEBAR_STYLE,
    script: 'sidebar.js',
    defines: 'agent-chat.js',
    body: `<main lang="en" dir="ltr">
<h1>A page with an agent beside it</h1>
<p>The chat on this page is the element <code>&lt;agent-chat mode="sidebar"&gt;</code>. Besides the
tools of the server it may use some that run here: it can look at this page, show a notification,
switch the theme, draw, and write into the list below.</p>
<p>Try “look at this page”, “set the theme to dark” or “add a note: buy milk”.</p>
<h2>Notes</h2>
<ul id="notes"></ul>
</main>
${element(options, `agent-chat mode="sidebar" browser-tools="${tools}"`)}`,
  });
}

/** The workbench, which contains only its element. */
export function workbenchPage(options: UiPageOptions): string {
  return html(
    { ...options, heading: `${options.heading} workbench` },
    {
      style: WORKBENCH_STYLE,
      defines: 'agent-workbench.js',
      body: `<main>${element(options, 'agent-workbench')}</main>`,
    },
  );
}

/** The content security policy of all pages: only their own scripts, style, icon and server. */
export function uiContentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ');
}

function element(
  { heading, endpoint, loginUrl, headersKey }: UiPageOptions,
  attributes: string,
): string {
  const optional = [
    ...(loginUrl === undefined ? [] : [` data-login-url="${escaped(loginUrl)}"`]),
    ...(headersKey === undefined ? [] : [` data-headers-key="${escaped(headersKey)}"`]),
  ].join('');
  const [name = ''] = attributes.split(' ');
  return `<${attributes} endpoint="${escaped(endpoint)}" heading="${escaped(heading)}"${optional}></${name}>`;
}

function html(
  { heading, assets, nonce, script: own, lang = 'en' }: UiPageOptions,
  {
    style,
    script,
    defines,
    body,
  }: {
    readonly style: string;
    /** The page's own script. */
    readonly script?: string;
    /** The script that defines the element, after those that set it up. */
    readonly defines: string;
    readonly body: string;
  },
): string {
  return `<!doctype html>
<html lang="${escaped(lang)}"${isRightToLeft(lang) ? ' dir="rtl"' : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(heading)}</title>
<link rel="icon" href="${ICON}">
<style nonce="${nonce}">
${style}
</style>
${[...(script === undefined ? [] : [`${assets}/${script}`]), ...(own === undefined ? [] : [own])]
  .map((source) => `<script src="${escaped(source)}" type="module"></script>\n`)
  .join('')}<script src="${escaped(assets)}/${defines}" defer></script>
</head>
<body>
${body}
</body>
</html>
`;
}

/** By the script that the language is written in. */
function isRightToLeft(lang: string): boolean {
  return RIGHT_TO_LEFT.has(new Intl.Locale(lang).maximize().script ?? '');
}

const RIGHT_TO_LEFT: ReadonlySet<string> = new Set([
  'Arab',
  'Hebr',
  'Syrc',
  'Thaa',
  'Nkoo',
  'Adlm',
]);

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
