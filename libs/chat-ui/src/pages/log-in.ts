import type { AgentChatElement } from '../../public/agent-chat.mjs';

/** An element that asks for a log-in when the server wants one. */
type LoggedIn = HTMLElement & Pick<AgentChatElement, 'headers' | 'draft'>;

/** Where the draft waits for the tab to come back from the log-in. */
const DRAFT_KEY = 'agent-chat.draft';
/** Where it waits while the tab loads the page again. */
const RELOAD_KEY = 'agent-chat.reload';

/** Applies the page's settings for the application's log-in; there are none by default. */
export function followLogIn(chat: LoggedIn): void {
  const { headersKey, loginUrl } = chat.dataset;
  if (headersKey !== undefined) chat.headers = () => headersUnder(headersKey);
  if (loginUrl !== undefined) {
    chat.addEventListener('agent-unauthorized', () => sendToLogIn(chat, loginUrl));
  }
  try {
    const [unsent, unfinished] = [take(DRAFT_KEY), take(RELOAD_KEY)];
    const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    // Whoever comes from another page may be another user.
    const draft = unsent ?? (visit?.type === 'reload' ? unfinished : null);
    if (draft !== null) chat.draft = draft;
    addEventListener('pagehide', () => keep(RELOAD_KEY, chat.draft));
  } catch {
    // Without a storage, nothing can be kept.
  }
}

/** The headers that the log-in left for this tab; without a storage none, so that the server asks for a log-in. */
function headersUnder(key: string): Record<string, string> {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '{}') as Record<string, string>;
  } catch {
    return {};
  }
}

/** Goes to the log-in, which knows by `return` where to come back to. */
function sendToLogIn(chat: LoggedIn, url: string): void {
  const target = new URL(url, location.href);
  target.searchParams.set('return', location.pathname + location.search + location.hash);
  // As late as possible: on a slow connection the user may keep writing.
  addEventListener('pagehide', () => keep(DRAFT_KEY, chat.draft), { once: true });
  location.assign(target);
}

function keep(key: string, draft: string): void {
  if (draft) sessionStorage.setItem(key, draft);
  else sessionStorage.removeItem(key);
}

function take(key: string): string | null {
  const draft = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  return draft;
}
