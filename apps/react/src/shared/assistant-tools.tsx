import { Tools, type Toolkit, type ToolCallMessagePartProps } from '@assistant-ui/react';
import { reasonOf } from './approval-reason';
import { browserTools } from './browser-tools';
import { ToolCard } from './tool-card';

// #region tools
/** The tools of the page, in the form of assistant-ui. */
const toolkit: Toolkit = Object.fromEntries(
  Object.entries(browserTools).map(([name, { description, parameters, run }]) => [
    name,
    { type: 'frontend', description, parameters, execute: run, render: PlainToolPart },
  ]),
);

export const assistantTools = Tools({ toolkit });

/** A call of a tool that the user is asked about with "yes" and "no". */
export function PlainToolPart(part: ToolCallMessagePartProps) {
  const { approval, respondToApproval } = part;
  const isAsked = approval !== undefined && approval.approved === undefined && !approval.resolution;
  return (
    <ToolCard
      name={part.toolName}
      input={part.args}
      state={isAsked ? 'Waiting' : stateOf(part)}
      output={part.result}
      approval={
        isAsked
          ? {
              input: part.args,
              reason: reasonOf(approval),
              onAnswer: ({ approved }) => void respondToApproval({ approved }),
            }
          : undefined
      }
    />
  );
}

export function stateOf({ result, isError, status, approval }: ToolCallMessagePartProps): string {
  if (approval?.approved === false) return 'Declined';
  if (result !== undefined) return isError === true ? 'Failed' : 'Done';
  return status.type === 'incomplete' ? 'Stopped' : 'Running';
}
// #endregion tools
