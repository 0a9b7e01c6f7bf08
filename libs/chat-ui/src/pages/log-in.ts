import type { AgentChatElement } from '../../public/agent-chat.mjs';

/**
 * Takes the headers that the application's log-in left for this tab, where the page was told the key
 * they stand under. Without the key nothing is read.
 */
export function headersFrom(chat: AgentChatElement): void {
  const key = chat.dataset['headersKey'];
  if (key === undefined) return;
  chat.headers = () => {
    const stored = sessionStorage.getItem(key);
    return stored === null ? {} : (JSON.parse(stored) as Record<string, string>);
  };
}

/** Goes to the application's log-in, which knows by `return` where to come back to. */
export function sendToLogIn(chat: AgentChatElement): void {
  const url = chat.dataset['loginUrl'];
  if (url === undefined) return;
  const target = new URL(url, location.href);
  target.searchParams.set('return', location.pathname + location.search + location.hash);
  location.assign(target);
}
