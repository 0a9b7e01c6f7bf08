/* oxlint-disable typescript/no-namespace -- React's types of elements are in one */
import 'nestjs-agent/ui/agent-chat.js'; // defines <agent-chat>
import type { AgentChatElement } from 'nestjs-agent/ui/agent-chat.js';
import { useEffect, useRef, useState } from 'react';
import { headers } from '../shared/agent';

// #region types
declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'agent-chat': Partial<Omit<AgentChatElement, keyof HTMLElement>> &
        DOMAttributes<AgentChatElement> &
        RefAttributes<AgentChatElement> & {
          heading?: string;
          'onagent-session'?: (event: CustomEvent<{ sessionId?: string }>) => void;
        };
    }
  }
}
// #endregion types

// #region element
export function Conversation({ thread }: { thread: string }) {
  const chat = useRef<AgentChatElement>(null);
  const [session, setSession] = useState<string>();
  useEffect(
    () =>
      chat.current?.registerTool({
        name: 'page_title',
        description: 'Reads the title of the page',
        input_schema: { type: 'object', properties: {} },
        run: () => document.title,
      }),
    [],
  );
  return (
    <>
      <agent-chat
        ref={chat}
        endpoint="/agent"
        headers={headers}
        session={thread}
        onagent-session={({ detail }) => setSession(detail.sessionId)}
      />
      <output>{session}</output>
    </>
  );
}
// #endregion element
