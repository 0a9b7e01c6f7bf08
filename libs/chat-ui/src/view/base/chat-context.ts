import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Conversation } from '../../conversation';
import type { ChatState } from '../../state';

/** The user's actions outside the conversation. */
export interface ChatActions {
  readonly listSessions: () => void;
  readonly listMoreSessions: () => void;
  readonly closeSessions: () => void;
  readonly openSession: (sessionId: string, runId?: string) => void;
  readonly removeSession: (sessionId: string) => void;
  readonly newSession: () => void;
  readonly dismissToast: (key: number) => void;
  /** Of a sidebar. */
  readonly open: () => void;
  readonly close: () => void;
}

/** All that every part of the chat may look at and do. */
export interface ChatView extends ChatActions {
  readonly state: ChatState;
  readonly conversation: Conversation;
  readonly isSidebar: boolean;
  readonly isOpen: boolean;
  readonly heading: string;
  readonly hasDrawings: boolean;
  readonly mayAttach: boolean;
}

export const ChatContext = createContext<ChatView | undefined>(undefined);

export function useChat(): ChatView {
  const view = useContext(ChatContext);
  if (view === undefined) throw new Error('This part of the chat stands outside of it.');
  return view;
}
