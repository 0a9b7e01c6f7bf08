import type { BrowserTool } from '../../public/agent-chat.mjs';

const TEXT_CHARS = 2_000;
const HEADINGS = 30;

/** Describes the open page. Query and fragment of the address stay here: they may be secret. */
export function pageInfoTool(): BrowserTool {
  return {
    name: 'get_page_info',
    description:
      'Look at the page that the user has open: title, address, headings, selected text and the beginning of its text',
    input_schema: { type: 'object', properties: {}, additionalProperties: false },
    run: () => ({
      title: document.title,
      address: location.origin + location.pathname,
      language: document.documentElement.lang || navigator.language,
      viewport: { width: innerWidth, height: innerHeight },
      headings: [...document.querySelectorAll('h1, h2, h3')]
        .slice(0, HEADINGS)
        .map((heading) => heading.textContent.trim()),
      selection: (getSelection()?.toString() ?? '').slice(0, TEXT_CHARS),
      text: (document.querySelector('main') ?? document.body).innerText.slice(0, TEXT_CHARS),
    }),
  };
}
