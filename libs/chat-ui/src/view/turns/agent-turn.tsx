import type { AgentTurn, Part } from '../../state';
import { TEXTS } from '../../texts';
import { focusLog, Icon, IconButton, Line, useChat } from '../base';
import { count, Markdown } from '../content';
import { Sources } from './sources';
import { ToolCard } from './tool-card';
import type { TurnProps } from './turn';

/** The agent's answer: its words, thoughts and calls, in the order they came, and how it ended. */
export function AgentTurnView({ turn, isLast, mayReplace }: TurnProps<AgentTurn>) {
  const { conversation } = useChat();
  const { parts, error, usage, status } = turn;
  const isRunning = status === 'running';
  const ending =
    (turn.stopReason && TEXTS.endings[turn.stopReason]) ??
    (status === 'cancelled' ? TEXTS.stopped : undefined);
  const again = (say: () => Promise<void>) => (event: { readonly currentTarget: Element }) => {
    // The button goes away while the answer comes: the keyboard goes on from the log.
    focusLog(event.currentTarget);
    void say();
  };
  return (
    <article class="turn agent" part="message agent" aria-label={TEXTS.agent}>
      <Line class="note">{turn.compacted && TEXTS.compacted}</Line>
      {keyed(parts).map(([key, part]) => (
        <PartView
          key={key}
          part={part}
          isLive={isRunning}
          isGrowing={isRunning && part === parts.at(-1)}
        />
      ))}
      {isRunning && needsSign(parts.at(-1)) && <Working turn={turn} />}
      {turn.sources && <Sources sources={turn.sources} />}
      {error && (
        <div class="error" part="error" role="alert">
          <Icon name="alert" />
          <span>{error.message}</span>
          {isLast && (
            <button type="button" onClick={again(() => conversation.retry())}>
              {TEXTS.retry}
            </button>
          )}
        </div>
      )}
      <Line class="note">{error ? undefined : ending}</Line>
      {usage && usage.totalTokens > 0 && (
        <p class="usage" part="usage">
          {TEXTS.tokens(
            count(usage.totalTokens),
            count(usage.inputTokens),
            count(usage.outputTokens),
          )}
        </p>
      )}
      {isLast && mayReplace && status !== 'requires_action' && !error && (
        <IconButton
          icon="again"
          class="quiet regenerate"
          part="regenerate"
          onClick={again(() => conversation.regenerate())}
        >
          {TEXTS.regenerate}
        </IconButton>
      )}
    </article>
  );
}

/** Words keep their key where a provider's tool is put before them. */
function keyed(parts: readonly Part[]): readonly (readonly [key: string, part: Part])[] {
  const counts = { call: 0, words: 0 };
  return parts.map((part) => {
    if (part.type === 'tool' && !part.ranAtProvider) return [part.callId, part];
    const kind = part.type === 'tool' ? 'call' : 'words';
    return [`${kind} ${counts[kind]++}`, part];
  });
}

/** Something has to move while nothing else does. */
function needsSign(last: Part | undefined): boolean {
  if (last === undefined || last.type === 'notice') return true;
  return last.type === 'tool' && last.outcome !== undefined;
}

function Working({ turn }: { readonly turn: AgentTurn }) {
  return (
    <p class="working">
      <span class="dots" aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      {turn.isUploading && turn.runId === undefined ? (
        <span class="note"> {TEXTS.uploading}</span>
      ) : (
        <span class="hidden">{TEXTS.working}</span>
      )}
    </p>
  );
}

interface PartProps {
  readonly part: Part;
  readonly isLive: boolean;
  readonly isGrowing: boolean;
}

function PartView({ part, isLive, isGrowing }: PartProps) {
  switch (part.type) {
    case 'tool':
      return <ToolCard part={part} isLive={isLive} />;
    case 'text':
      return <Markdown text={part.text} />;
    case 'notice':
      return (
        <p class="note" part="note" role="status">
          {part.text}
        </p>
      );
    case 'thinking':
      return (
        <details class="thinking" part="thinking">
          <summary>{isGrowing ? TEXTS.thinking : TEXTS.thoughts}</summary>
          <div class="thinking-text" dir="auto">
            {part.text}
          </div>
        </details>
      );
  }
}
