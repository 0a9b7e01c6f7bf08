import { getToolName, isToolUIPart, type UIMessage } from 'ai';
import { reasonOf } from '../shared/approval-reason';
import { ToolCard } from '../shared/tool-card';

interface MessageProps {
  readonly message: UIMessage;
  readonly onAnswer: (approvalId: string, approved: boolean) => void;
}

/** A message, part by part. */
export function Message({ message, onAnswer }: MessageProps) {
  return (
    <article className={`message ${message.role}`}>
      {message.parts.map((part, index) => (
        <Part key={index} part={part} onAnswer={onAnswer} />
      ))}
    </article>
  );
}

const STATES = {
  'input-streaming': 'Preparing',
  'input-available': 'Running',
  'approval-requested': 'Waiting',
  'approval-responded': 'Answered',
  'output-available': 'Done',
  'output-error': 'Failed',
  'output-denied': 'Declined',
} as const;

function Part({
  part,
  onAnswer,
}: Pick<MessageProps, 'onAnswer'> & { part: UIMessage['parts'][number] }) {
  if (part.type === 'text') return <p>{part.text}</p>;
  if (part.type === 'reasoning') return <p className="reasoning">{part.text}</p>;
  if (part.type === 'file' && part.mediaType.startsWith('image/')) {
    return <img src={part.url} alt={part.filename ?? 'Picture'} />;
  }
  if (!isToolUIPart(part)) return null;
  return (
    <ToolCard
      name={getToolName(part)}
      input={part.input}
      state={STATES[part.state]}
      output={part.output ?? part.errorText}
      approval={
        part.state === 'approval-requested'
          ? {
              input: part.input,
              reason: reasonOf(part.approval),
              onAnswer: ({ approved }) => onAnswer(part.approval.id, approved),
            }
          : undefined
      }
    />
  );
}
