import type { ToolCallMessagePartProps } from '@assistant-ui/react';
import {
  useAgUiInterrupts,
  useAgUiSubmitInterruptResponses,
  type AgUiInterrupt,
  type AgUiResumeEntry,
} from '@assistant-ui/react-ag-ui';
import { createContext, useContext, useState, type ReactNode } from 'react';
import { stateOf } from '../shared/assistant-tools';
import { ToolCard, type Answer } from '../shared/tool-card';

interface Asking {
  readonly open: readonly AgUiInterrupt[];
  readonly answer: (interruptId: string, answer: Answer) => void;
}

const Asked = createContext<Asking>({ open: [], answer: () => {} });

// #region answers
/** Collects the user's answers: AG-UI wants one for each interrupt, all in one request. */
export function Answers({ children }: { children: ReactNode }) {
  const interrupts = useAgUiInterrupts();
  const submit = useAgUiSubmitInterruptResponses();
  const [given, setGiven] = useState<Readonly<Record<string, AgUiResumeEntry>>>({});
  const answer = (interruptId: string, payload: Answer) => {
    const all = { ...given, [interruptId]: { interruptId, status: 'resolved' as const, payload } };
    const answers = interrupts.flatMap(({ id }) => all[id] ?? []);
    const isComplete = answers.length === interrupts.length;
    setGiven(isComplete ? {} : all);
    if (isComplete) void submit(answers);
  };
  return (
    <Asked value={{ open: interrupts.filter(({ id }) => !given[id]), answer }}>{children}</Asked>
  );
}
// #endregion answers

/** A call of a tool, whose arguments the user may change before allowing it. */
export function InterruptToolPart(part: ToolCallMessagePartProps) {
  const { open, answer } = useContext(Asked);
  const interrupt = open.find(({ toolCallId }) => toolCallId === part.toolCallId);
  return (
    <ToolCard
      name={part.toolName}
      input={part.args}
      state={interrupt ? 'Waiting' : stateOf(part)}
      output={part.result}
      approval={
        interrupt && {
          input: part.args,
          reason: interrupt.message,
          isEditable: true,
          onAnswer: (given) => answer(interrupt.id, given),
        }
      }
    />
  );
}
