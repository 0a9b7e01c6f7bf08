import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ChatStore } from '../state/store';
import { Chat } from './chat';
import { ChatContext, type ChatView } from './chat-context';
import { Icon } from './icon';
import { Toasts } from './toasts';

export interface RootProps {
  readonly store: ChatStore;
  readonly view: Omit<ChatView, 'state'>;
  readonly isOpen: boolean;
  readonly open: () => void;
}

/** The chat as a page, or as a sidebar with the button that opens it. */
export function Root({ store, view, isOpen, open }: RootProps) {
  const [state, setState] = useState(store.state);
  useEffect(() => {
    setState(store.state);
    return store.watch(() => setState(store.state));
  }, [store]);
  const launcher = useRef<HTMLButtonElement>(null);
  const sidebar = useRef<HTMLElement>(null);
  const wasOpen = useRef(isOpen);
  useLayoutEffect(() => {
    if (wasOpen.current === isOpen) return;
    wasOpen.current = isOpen;
    // Focus goes with the chat: into it when it opens, back to the button when it closes.
    if (isOpen) sidebar.current?.querySelector('textarea')?.focus();
    else launcher.current?.focus();
  }, [isOpen]);
  return (
    <ChatContext.Provider value={{ ...view, state }}>
      {!view.isSidebar ? (
        <Chat />
      ) : isOpen ? (
        <aside
          ref={sidebar}
          class="sidebar"
          part="sidebar"
          aria-label={view.heading}
          onKeyDown={(event) => {
            // While an input method composes a word, Escape gives the word up.
            if (event.key === 'Escape' && !event.isComposing) view.close();
          }}
        >
          <Chat />
        </aside>
      ) : (
        <button
          ref={launcher}
          type="button"
          class="launcher primary"
          part="launcher"
          onClick={open}
        >
          <Icon name="chat" />
          Open chat
        </button>
      )}
      <Toasts toasts={state.toasts} />
    </ChatContext.Provider>
  );
}
