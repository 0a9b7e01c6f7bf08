import { useEffect, useRef, useState } from 'preact/hooks';
import type { ChatStore } from '../../state';
import {
  ChatContext,
  COMPOSING,
  IconButton,
  keepKey,
  TextsContext,
  useChange,
  type ChatView,
} from '../base';
import { Chat } from './chat';
import { ToastList } from './toasts';

interface RootProps {
  readonly store: ChatStore;
  readonly view: Omit<ChatView, 'state'>;
}

/** The chat as a page, or as a sidebar with the button that opens it. */
export function Root({ store, view }: RootProps) {
  const [state, setState] = useState(store.state);
  useEffect(() => {
    setState(store.state);
    return store.watch(() => setState(store.state));
  }, [store]);
  const launcher = useRef<HTMLButtonElement>(null);
  const sidebar = useRef<HTMLElement>(null);
  // Focus goes with the chat: into it when it opens, back to the button when it closes.
  useChange(view.isOpen, (isOpen) => {
    if (isOpen) sidebar.current?.querySelector('textarea')?.focus();
    else launcher.current?.focus();
  });
  return (
    <TextsContext.Provider value={state.texts}>
      <ChatContext.Provider value={{ ...view, state }}>
        {!view.isSidebar ? (
          <Chat />
        ) : view.isOpen ? (
          <aside
            ref={sidebar}
            class="sidebar"
            part="sidebar"
            aria-label={view.heading}
            onKeyDown={(event) => {
              // The Escape of an input method gives its word up.
              if (event.key !== 'Escape' || event.keyCode === COMPOSING) return;
              keepKey(event);
              view.setOpen(false);
            }}
          >
            <Chat />
          </aside>
        ) : (
          <IconButton
            ref={launcher}
            icon="chat"
            class="launcher primary"
            part="launcher"
            onClick={() => view.setOpen(true)}
          >
            {state.texts.openChat}
          </IconButton>
        )}
        <ToastList />
      </ChatContext.Provider>
    </TextsContext.Provider>
  );
}
