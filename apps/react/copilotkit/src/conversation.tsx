import {
  CopilotChat,
  CopilotKitProvider,
  useAgent,
  useCopilotKit,
  useDefaultRenderTool,
  useFrontendTools,
  useInterrupt,
} from '@copilotkit/react-core/v2';
import '@copilotkit/react-core/v2/styles.css';
import { useMemo } from 'react';
import { z } from 'zod';
import { addressOf, headers } from '../../src/shared/agent';
import { stopRun } from '../../src/shared/ag-ui-thread';
import { browserTools } from '../../src/shared/browser-tools';
import { ToolCard } from '../../src/shared/tool-card';
import { Asked } from './asked';
import { StoredAgent } from './stored-agent';

// #region chat
/** The agent is on the page's own server, without CopilotKit's runtime or cloud in between. */
export function Conversation({ thread }: { thread: string }) {
  const agents = useMemo(
    () => ({ default: new StoredAgent({ url: addressOf('ag-ui'), threadId: thread }) }),
    [thread],
  );
  return (
    <CopilotKitProvider selfManagedAgents={agents} headers={headers} enableInspector={false}>
      <Chat thread={thread} />
    </CopilotKitProvider>
  );
}

function Chat({ thread }: { thread: string }) {
  const { agent } = useAgent();
  const { copilotkit } = useCopilotKit();
  useFrontendTools(tools);
  useDefaultRenderTool({
    render: ({ name, parameters, status, result }) => (
      <ToolCard
        name={name}
        input={parameters}
        state={status === 'complete' ? 'Done' : 'Running'}
        output={result}
      />
    ),
  });
  useInterrupt({
    render: ({ interrupts, resolve }) => (
      <Asked messages={agent.messages} interrupts={interrupts} onAnswer={resolve} />
    ),
  });
  const regenerate = () => {
    const last = agent.messages.findLastIndex(({ role }) => role === 'user');
    agent.setMessages(agent.messages.slice(0, last + 1));
    void copilotkit.runAgent({ agent });
  };
  const stop = () => {
    copilotkit.stopAgent({ agent });
    stopRun(thread);
  };
  return (
    <CopilotChat
      className="chat"
      threadId={thread}
      attachments={{ enabled: true, accept: 'image/*' }}
      messageView={{ assistantMessage: { onRegenerate: regenerate } }}
      onStop={stop}
    />
  );
}
// #endregion chat

const tools = Object.entries(browserTools).map(([name, { description, parameters, run }]) => ({
  name,
  description,
  parameters: z.fromJSONSchema(parameters),
  handler: (input: Record<string, unknown>) => Promise.resolve(run(input)),
}));
