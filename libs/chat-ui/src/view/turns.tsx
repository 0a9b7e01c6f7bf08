import { memo } from './memo';
import type { AgentTurn, Part, Turn } from '../state/chat-state';
import { useChat } from './chat-context';
import { count, endingOf } from './format';
import { Icon } from './icon';
import { focusLog } from './log-focus';
import { Markdown } from './markdown';
import { Sources } from './sources';
import { ToolCard } from './tool-card';
import { UserTurnView } from './user-turn';

interface TurnProps<T extends Turn> {
  readonly turn: T;
  readonly isLast: boolean;
  /** Whether the message, or that which it answers, can be said anew now. */
  readonly mayReplace: boolean;
}

/** One turn of the conversation; it is drawn anew only when it changed. */
export const TurnView = memo(({ turn, ...rest }: TurnProps<Turn>) =>
  turn.role === 'user' ? (
    <UserTurnView turn={turn} mayReplace={rest.mayReplace} />
  ) : (
    <AgentTurnView turn={turn} {...rest} />
  ),
);

function AgentTurnView({ turn, isLast, mayReplace }: TurnProps<AgentTurn>) {
  const isRunning = turn.status === 'running';
  const ending = turn.error ? undefined : endingOf(turn.stopReason);
  const stopped = ending ?? (turn.status === 'cancelled' ? 'Stopped.' : undefined);
  const isAnswer = turn.status !== 'requires_action' && !turn.error;
  return (
    <article class="turn agent" part="message agent" aria-label="Agent">
      {turn.compacted && <p class="note">Earlier messages were summarised.</p>}
      {keyed(turn.parts).map(({ part, key }, index) => (
        <PartView
          key={key}
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
          {turn.isUploading && turn.runId === undefined ? (
            <span class="note"> Sending the attachments…</span>
          ) : (
            <span class="hidden">The agent is working</span>
          )}
        </p>
      )}
      {turn.sources && <Sources sources={turn.sources} />}
      {turn.error && <ErrorNote turn={turn} isLast={isLast} />}
      {stopped !== undefined && <p class="note">{stopped}</p>}
      {turn.usage && turn.usage.totalTokens > 0 && (
        <p class="usage" part="usage">
          {count(turn.usage.totalTokens)} tokens ({count(turn.usage.inputTokens)} in,{' '}
          {count(turn.usage.outputTokens)} out)
        </p>
      )}
      {isLast && mayReplace && isAnswer && <Regenerate />}
    </article>
  );
}

/** Words keep their key where a provider's tool is put before them. */
function keyed(parts: readonly Part[]): readonly { readonly part: Part; readonly key: string }[] {
  const counts = { call: 0, words: 0 };
  return parts.map((part) => {
    if (part.type === 'tool' && !part.ranAtProvider) return { part, key: part.callId };
    const kind = part.type === 'tool' ? 'call' : 'words';
    return { part, key: `${kind} ${counts[kind]++}` };
  });
}

function Regenerate() {
  const { conversation } = useChat();
  return (
    <button
      type="button"
      class="quiet regenerate"
      part="regenerate"
      onClick={({ currentTarget }) => {
        // The button goes away while the answer comes: who came by the keyboard goes on from there.
        focusLog(currentTarget);
        void conversation.regenerate();
      }}
    >
      <Icon name="again" />
      Regenerate
    </button>
  );
}

/** Something has to move while nothing else does. */
function needsSign(last: Part | undefined): boolean {
  if (last === undefined || last.type === 'notice') return true;
  return last.type === 'tool' && last.outcome !== undefined;
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
  if (part.type === 'notice') {
    return (
      <p class="note" part="note" role="status">
        {part.text}
      </p>
    );
  }
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
        <button
          type="button"
          onClick={({ currentTarget }) => {
            focusLog(currentTarget);
            void conversation.retry();
          }}
        >
          Retry
        </button>
      )}
    </div>
  );
}
