import { getToolName, isToolUIPart, type UIMessage } from 'ai';

interface PartProps {
  readonly part: UIMessage['parts'][number];
  readonly onAnswer: (approvalId: string, approved: boolean) => void;
}

/** A part of a message: text, or the call of a tool. */
export function Part({ part, onAnswer }: PartProps) {
  if (part.type === 'text') return <p>{part.text}</p>;
  if (!isToolUIPart(part)) return null;
  return (
    <section>
      <code>
        {getToolName(part)} {JSON.stringify(part.input)}
      </code>
      {part.state === 'approval-requested' && (
        <>
          <button onClick={() => onAnswer(part.approval.id, true)}>Approve</button>
          <button onClick={() => onAnswer(part.approval.id, false)}>Reject</button>
        </>
      )}
    </section>
  );
}
