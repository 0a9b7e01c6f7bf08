import type { Interrupt, Message } from '@ag-ui/client';
import { useState } from 'react';
import { Approval, type Answer } from '../../src/shared/tool-card';

interface AskedProps {
  readonly messages: readonly Message[];
  readonly interrupts: readonly Interrupt[];
  readonly onAnswer: (answer: Answer, interruptId: string) => unknown;
}

/** The questions to the user; the run continues once each has its answer. */
export function Asked({ messages, interrupts, onAnswer }: AskedProps) {
  const [answered, setAnswered] = useState<readonly string[]>([]);
  const answer = (id: string, given: Answer) => {
    setAnswered([...answered, id]);
    onAnswer(given, id);
  };
  return interrupts
    .filter(({ id }) => !answered.includes(id))
    .map(({ id, message, toolCallId }) => (
      <Approval
        key={id}
        input={argumentsOf(messages, toolCallId)}
        reason={message}
        isEditable
        onAnswer={(given) => answer(id, given)}
      />
    ));
}

function argumentsOf(messages: readonly Message[], callId: string | undefined): unknown {
  const calls = messages.flatMap((message) =>
    message.role === 'assistant' ? (message.toolCalls ?? []) : [],
  );
  return JSON.parse(calls.find(({ id }) => id === callId)?.function.arguments || '{}');
}
