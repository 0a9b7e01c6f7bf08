import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Conversation, StoredSessions, Toasts } from '../../conversation';
import type { ChatState } from '../../state';
import { EN, type Texts } from '../../texts';

/** All that every part of the chat may look at and do. */
export interface ChatView {
  readonly state: ChatState;
  readonly conversation: Conversation;
  readonly sessions: StoredSessions;
  readonly toasts: Toasts;
  /** Opens or closes a sidebar. */
  readonly setOpen: (isOpen: boolean) => void;
  readonly isSidebar: boolean;
  readonly isOpen: boolean;
  readonly heading: string;
  readonly hasDrawings: boolean;
  readonly mayAttach: boolean;
}

export const ChatContext = createContext<ChatView | undefined>(undefined);

/** Apart from the chat's state, so that new words alone redraw a part. */
export const TextsContext = createContext<Texts>(EN);

/** The words of the chat. */
export function useTexts(): Texts {
  return useContext(TextsContext);
}

export function useChat(): ChatView {
  const view = useContext(ChatContext);
  if (view === undefined) throw new Error('This part of the chat stands outside of it.');
  return view;
}
