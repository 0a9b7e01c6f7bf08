import DOMPurify from 'dompurify';
import { Marked, type Token, type Tokens } from 'marked';

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

/**
 * One block as sanitised nodes. Links leave the page, and only to http, https and mail.
 *
 * @param tableName the name of a table for screen readers
 */
export function renderBlock(token: Token, tableName: string): DocumentFragment {
  const fragment = DOMPurify.sanitize(htmlOf(token), {
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
  for (const table of fragment.querySelectorAll('table')) {
    const frame = document.createElement('div');
    frame.className = 'table';
    frame.tabIndex = 0;
    frame.setAttribute('role', 'group');
    frame.setAttribute('aria-label', tableName);
    table.replaceWith(frame);
    frame.append(table);
  }
  return fragment;
}

function htmlOf(token: Token): string {
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
