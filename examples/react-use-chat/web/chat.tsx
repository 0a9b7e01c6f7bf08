import { useState, type FormEvent } from 'react';
import { useChat } from '@ai-sdk/react';
import { DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses } from 'ai';
import { Part } from './part';

const transport = new DefaultChatTransport({ api: '/agent/ai-sdk' });

export function Chat({ id }: { id: string }) {
  const [text, setText] = useState('');
  const chat = useChat({
    id,
    transport,
    // The user's yes or no goes to the agent at once.
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    void chat.sendMessage({ text });
    setText('');
  };
  return (
    <>
      {chat.messages.map(({ id, role, parts }) => (
        <article key={id} className={role}>
          {parts.map((part, index) => (
            <Part
              key={index}
              part={part}
              onAnswer={(id, approved) => void chat.addToolApprovalResponse({ id, approved })}
            />
          ))}
        </article>
      ))}
      {chat.error && <p role="alert">{chat.error.message}</p>}
      <form onSubmit={send}>
        <input
          aria-label="Message"
          value={text}
          onChange={(event) => setText(event.target.value)}
          required
        />
        <button disabled={chat.status !== 'ready'}>Send</button>
      </form>
    </>
  );
}
