import DOMPurify from 'dompurify';
import { Marked, type Token, type Tokens } from 'marked';
import type { Texts } from '../../texts';

const TAGS = [
  ...['p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote'],
  ...['strong', 'em', 'del', 'code', 'pre', 'a', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
];

const marked = new Marked({
  gfm: true,
  breaks: true,
  renderer: {
    // Markup that a model writes is text like any other.
    html: ({ text }) => escaped(text),
    // A picture would be a request to another server: users can follow the link instead.
    image: ({ href, text }) => `<a href="${escaped(href)}">${escaped(text || href)}</a>`,
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
  },
});

/** The text's top-level blocks: while an answer grows, only its last one changes. */
export function blocksOf(markdown: string): readonly Token[] {
  try {
    return marked.lexer(markdown).filter(({ type }) => type !== 'space' && type !== 'def');
  } catch {
    // Nested deeper than the stack reaches: it is shown as it was written.
    return [{ type: 'code', raw: markdown, text: markdown } satisfies Tokens.Code];
  }
}

/** One block as sanitised nodes. Links leave the page, and only to http, https and mail. */
export function renderBlock(html: string, texts: Texts): DocumentFragment {
  const fragment = DOMPurify.sanitize(html, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ['href', 'start', 'align', 'class'],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    // Of the others, `href` must be an address, and `class` is free by default.
    ADD_URI_SAFE_ATTR: ['start', 'align'],
    ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|\/(?!\/)|#)/i,
    RETURN_DOM_FRAGMENT: true,
  });
  for (const link of fragment.querySelectorAll('a')) {
    link.target = '_blank';
    link.rel = 'noopener noreferrer nofollow';
  }
  // Tables, and code within lists and quotes, may be wider than the conversation.
  for (const wide of fragment.querySelectorAll('table, pre')) {
    const frame = document.createElement('div');
    const isCode = wide.localName === 'pre';
    frame.className = 'wide';
    frame.tabIndex = 0;
    if (isCode) frame.dir = 'ltr';
    frame.setAttribute('role', 'group');
    frame.setAttribute('aria-label', isCode ? texts.code : texts.table);
    wide.replaceWith(frame);
    frame.append(wide);
  }
  return fragment;
}

/** One block as HTML, which is not sanitised. */
export function htmlOf(token: Token): string {
  try {
    return marked.parser([token]);
  } catch {
    return escaped(token.raw);
  }
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
