import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Conversation } from '../conversation/conversation';
import type { ChatState } from '../state/chat-state';

/** What every part of the chat may look at and do. */
export interface ChatView {
  readonly state: ChatState;
  readonly conversation: Conversation;
  readonly isSidebar: boolean;
  readonly heading: string;
  readonly hasDrawings: boolean;
  /** Whether the user may attach pictures and files. */
  readonly mayAttach: boolean;
  readonly listSessions: () => void;
  readonly listMoreSessions: () => void;
  readonly closeSessions: () => void;
  readonly openSession: (sessionId: string, runId?: string) => void;
  readonly removeSession: (sessionId: string) => void;
  readonly newSession: () => void;
  readonly dismissToast: (key: number) => void;
  readonly close: () => void;
}

export const ChatContext = createContext<ChatView | undefined>(undefined);

export function useChat(): ChatView {
  const view = useContext(ChatContext);
  if (view === undefined) throw new Error('This part of the chat stands outside of it.');
  return view;
}
