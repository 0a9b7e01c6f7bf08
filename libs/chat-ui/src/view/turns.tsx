import { memo } from './memo';
import type { AgentTurn, Part, Turn } from '../state/chat-state';
import { useChat } from './chat-context';
import { count, endingOf } from './format';
import { Icon } from './icon';
import { Markdown } from './markdown';
import { ToolCard } from './tool-card';

/** One turn of the conversation; it is drawn anew only when it changed. */
export const TurnView = memo(
  ({ turn, isLast }: { readonly turn: Turn; readonly isLast: boolean }) =>
    turn.role === 'user' ? (
      <article class="turn user" part="message user" aria-label="You">
        <div class="bubble" dir="auto">
          {turn.text}
        </div>
      </article>
    ) : (
      <AgentTurnView turn={turn} isLast={isLast} />
    ),
);

function AgentTurnView({ turn, isLast }: { readonly turn: AgentTurn; readonly isLast: boolean }) {
  const isRunning = turn.status === 'running';
  const ending = turn.error ? undefined : endingOf(turn.stopReason);
  const stopped = ending ?? (turn.status === 'cancelled' ? 'Stopped.' : undefined);
  return (
    <article class="turn agent" part="message agent" aria-label="Agent">
      {turn.compacted && <p class="note">Earlier messages were summarised.</p>}
      {turn.parts.map((part, index) => (
        <PartView
          key={part.type === 'tool' ? part.callId : index}
          part={part}
          isLive={isRunning}
          isGrowing={isRunning && index === turn.parts.length - 1}
        />
      ))}
      {isRunning && needsSign(turn.parts.at(-1)) && (
        <p class="working">
          <span class="dots" aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
          <span class="hidden">The agent is working</span>
        </p>
      )}
      {turn.error && <ErrorNote turn={turn} isLast={isLast} />}
      {stopped !== undefined && <p class="note">{stopped}</p>}
      {turn.usage && turn.usage.totalTokens > 0 && (
        <p class="usage" part="usage">
          {count(turn.usage.totalTokens)} tokens ({count(turn.usage.inputTokens)} in,{' '}
          {count(turn.usage.outputTokens)} out)
        </p>
      )}
    </article>
  );
}

/** Something has to move while nothing else does. */
function needsSign(last: Part | undefined): boolean {
  if (last === undefined) return true;
  return last.type === 'tool' && last.output !== undefined;
}

function PartView({
  part,
  isLive,
  isGrowing,
}: {
  readonly part: Part;
  readonly isLive: boolean;
  readonly isGrowing: boolean;
}) {
  if (part.type === 'tool') return <ToolCard part={part} isLive={isLive} />;
  if (part.type === 'text') return <Markdown text={part.text} />;
  return (
    <details class="thinking" part="thinking">
      <summary>{isGrowing ? 'Thinking…' : 'Thoughts'}</summary>
      <div class="thinking-text" dir="auto">
        {part.text}
      </div>
    </details>
  );
}

function ErrorNote({ turn, isLast }: { readonly turn: AgentTurn; readonly isLast: boolean }) {
  const { conversation } = useChat();
  return (
    <div class="error" part="error" role="alert">
      <Icon name="alert" />
      <span>{turn.error?.message}</span>
      {isLast && (
        <button type="button" onClick={() => void conversation.retry()}>
          Retry
        </button>
      )}
    </div>
  );
}
