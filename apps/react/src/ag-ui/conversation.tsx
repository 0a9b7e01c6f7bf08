import { HttpAgent } from '@ag-ui/client';
import {
  AssistantRuntimeProvider,
  AuiConfig,
  ExportedMessageRepository,
  SimpleImageAttachmentAdapter,
} from '@assistant-ui/react';
import { fromAgUiMessages, useAgUiRuntime } from '@assistant-ui/react-ag-ui';
import { useMemo } from 'react';
import { addressOf, headers } from '../shared/agent';
import { AgUiThread, stopRun, type StoredThread } from '../shared/ag-ui-thread';
import { Thread } from '../shared/assistant-thread';
import { assistantTools } from '../shared/assistant-tools';
import { Answers, InterruptToolPart } from './interrupts';

export function Conversation({ thread }: { thread: string }) {
  return (
    <AgUiThread thread={thread}>{(stored) => <Chat thread={thread} stored={stored} />}</AgUiThread>
  );
}

// #region chat
const attachments = new SimpleImageAttachmentAdapter();

function Chat({ thread, stored }: { thread: string; stored: StoredThread }) {
  const agent = useMemo(() => new TokenAgent({ url: addressOf('ag-ui'), threadId: thread }), []);
  const history = useMemo(() => historyOf(stored), []);
  const runtime = useAgUiRuntime({ agent, adapters: { attachments, history } });
  return (
    <AssistantRuntimeProvider runtime={runtime} config={AuiConfig({ tools: assistantTools })}>
      <Answers>
        <Thread tool={InterruptToolPart} onStop={() => stopRun(thread)} />
      </Answers>
    </AssistantRuntimeProvider>
  );
}

/** Every request takes the token of its moment. */
class TokenAgent extends HttpAgent {
  protected override requestInit(...input: Parameters<HttpAgent['requestInit']>): RequestInit {
    this.headers = headers();
    return super.requestInit(...input);
  }
}

function historyOf({ messages, isWaiting }: StoredThread) {
  return {
    load: () =>
      Promise.resolve({
        ...ExportedMessageRepository.fromArray(fromAgUiMessages(messages)),
        // A run without a message: the server sends the pending actions once more.
        unstable_resume: isWaiting,
      }),
    // The server keeps the conversation by itself.
    append: () => Promise.resolve(),
  };
}
// #endregion chat
