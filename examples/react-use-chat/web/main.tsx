import { createRoot } from 'react-dom/client';
import { Chat } from './chat';

/** Begins a conversation. Only its id protects it, because this example has no log-in. */
async function begin(): Promise<string> {
  const response = await fetch('/agent/sessions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  const { sessionId } = (await response.json()) as { sessionId: string };
  return sessionId;
}

const page = createRoot(document.querySelector('main')!);
void begin().then((id) => page.render(<Chat id={id} />));
