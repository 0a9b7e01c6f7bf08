import { useState } from 'react';

interface ToolCardProps {
  readonly name: string;
  readonly input: unknown;
  /** In words: "Running", "Done". */
  readonly state: string;
  readonly output?: unknown;
  readonly approval?: ApprovalProps | undefined;
}

/** A tool call with its result. Texts of tools are shown as text, never as HTML. */
export function ToolCard({ name, input, state, output, approval }: ToolCardProps) {
  return (
    <section className="tool" aria-label={`Tool ${name}`}>
      <p>
        <code>{name}</code> <span className="state">{state}</span>
      </p>
      {approval === undefined && <pre>{shown(input)}</pre>}
      {approval !== undefined && <Approval {...approval} />}
      {output !== undefined && <pre className="output">{shown(output)}</pre>}
    </section>
  );
}

interface ApprovalProps {
  readonly input: unknown;
  readonly reason?: string | undefined;
  /** Whether the protocol carries arguments that the user has changed. */
  readonly isEditable?: boolean;
  readonly onAnswer: (answer: Answer) => void;
}

export interface Answer {
  readonly approved: boolean;
  /** Only where the user has changed the arguments. */
  readonly editedArgs?: Record<string, unknown>;
}

/** Asks the user about a call. */
export function Approval({ input, reason, isEditable = false, onAnswer }: ApprovalProps) {
  const original = shown(input);
  const [text, setText] = useState(original);
  const edited = text === original ? undefined : parsed(text);
  return (
    <div className="approval">
      <p>{reason ?? 'May the agent do this?'}</p>
      {isEditable ? (
        <textarea
          aria-label="Arguments"
          rows={text.split('\n').length}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      ) : (
        <pre>{original}</pre>
      )}
      <button
        className="primary"
        disabled={text !== original && edited === undefined}
        onClick={() => onAnswer({ approved: true, ...(edited && { editedArgs: edited }) })}
      >
        Approve
      </button>
      <button onClick={() => onAnswer({ approved: false })}>Reject</button>
    </div>
  );
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
}

/** `undefined` while the user has not finished typing an object. */
function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
