import type { AgentTurn } from '../../state';
import type { StopReason } from '../../wire';
import { filled, type Texts } from '../../texts';
import { Button, focusLog, Icon, IconButton, Line, useTexts } from '../base';
import { count } from '../content';
import { Parts } from './parts';
import { Sources } from './sources';
import type { TurnProps } from './turn';

/** The agent's answer: its words, thoughts and calls, in the order they came, and how it ended. */
export function AgentTurnView({ turn, isLast, mayReplace, conversation }: TurnProps<AgentTurn>) {
  const texts = useTexts();
  const { parts, error, usage, status } = turn;
  const isUploading = turn.isUploading && turn.runId === undefined;
  const ending = endingOf(turn, texts) ?? (status === 'cancelled' ? texts.stopped : undefined);
  const again = (say: () => Promise<void>) => (event: { readonly currentTarget: Element }) => {
    // The button goes away while the answer comes: the keyboard goes on from the log.
    focusLog(event.currentTarget);
    void say();
  };
  return (
    <article class="turn agent" part="message agent" aria-label={texts.agent}>
      <Line class="note">{turn.compacted && texts.compacted}</Line>
      <Parts parts={parts} status={status} isUploading={isUploading} />
      {turn.sources && <Sources sources={turn.sources} />}
      {error && (
        <div class="error" part="error" role="alert">
          <Icon name="alert" />
          <span>{error.message}</span>
          {isLast && <Button words={texts.retry} onClick={again(() => conversation.retry())} />}
        </div>
      )}
      <Line class="note">{error ? undefined : ending}</Line>
      {usage && usage.totalTokens > 0 && (
        <p class="usage" part="usage">
          {filled(texts.tokens, {
            total: count(usage.totalTokens, texts.locale),
            input: count(usage.inputTokens, texts.locale),
            output: count(usage.outputTokens, texts.locale),
          })}
        </p>
      )}
      {isLast && mayReplace && status !== 'requires_action' && !error && (
        <IconButton
          icon="again"
          class="quiet regenerate"
          part="regenerate"
          onClick={again(() => conversation.regenerate())}
        >
          {texts.regenerate}
        </IconButton>
      )}
    </article>
  );
}

/** Some endings need no words. */
function endingOf({ stopReason }: AgentTurn, texts: Texts): string | undefined {
  const endings: Partial<Record<StopReason, string>> = texts.endings;
  return stopReason && endings[stopReason];
}
