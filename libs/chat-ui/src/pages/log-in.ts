import type { AgentChatElement } from '../../public/agent-chat.mjs';

/** An element that asks for a log-in when the server wants one. */
type LoggedIn = HTMLElement & Pick<AgentChatElement, 'headers' | 'draft'>;

/** Where the draft waits for the tab to come back from the log-in. */
const DRAFT_KEY = 'agent-chat.draft';

/** Applies the page's settings for the application's log-in; there are none by default. */
export function followLogIn(chat: LoggedIn): void {
  const { headersKey, loginUrl } = chat.dataset;
  if (headersKey !== undefined) chat.headers = () => headersUnder(headersKey);
  if (loginUrl === undefined) return;
  chat.addEventListener('agent-unauthorized', () => sendToLogIn(chat, loginUrl));
  const draft = sessionStorage.getItem(DRAFT_KEY);
  if (draft === null) return;
  sessionStorage.removeItem(DRAFT_KEY);
  chat.draft = draft;
}

/** The headers that the log-in left for this tab. */
function headersUnder(key: string): Record<string, string> {
  const stored = sessionStorage.getItem(key);
  return stored === null ? {} : (JSON.parse(stored) as Record<string, string>);
}

/** Goes to the log-in, which knows by `return` where to come back to. */
function sendToLogIn(chat: LoggedIn, url: string): void {
  const target = new URL(url, location.href);
  target.searchParams.set('return', location.pathname + location.search + location.hash);
  // As late as possible: on a slow line there is time to write on.
  addEventListener('pagehide', () => keep(chat.draft), { once: true });
  location.assign(target);
}

function keep(draft: string): void {
  if (draft !== '') sessionStorage.setItem(DRAFT_KEY, draft);
}
