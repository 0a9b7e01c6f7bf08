// The script of the chat page: keeps the open session in the address, and follows the page's
// settings of the login.
import { followLogIn } from './log-in';

const chat = document.querySelector('agent-chat');

if (chat) {
  followLogIn(chat);
  void customElements.whenDefined('agent-chat').then(() => {
    // The fragment is never sent to a server, and lets a reload find its way back.
    chat.addEventListener('agent-session', (event) => {
      const { sessionId, runId } = (event as CustomEvent<Partial<Record<string, string>>>).detail;
      const place = new URLSearchParams({
        ...(sessionId && { session: sessionId }),
        ...(runId && { run: runId }),
      }).toString();
      history.replaceState(null, '', place ? `#${place}` : location.pathname + location.search);
    });
    const open = (): boolean => {
      const place = new URLSearchParams(location.hash.slice(1));
      const session = place.get('session');
      if (session) void chat.openSession(session, place.get('run') ?? undefined);
      return session !== null;
    };
    open();
    // Another address in the same tab: a link, or one that was typed. `replaceState` is none.
    addEventListener('hashchange', () => open() || chat.newSession());
  });
}
