import { useEffect, useId, useMemo, useState } from 'preact/hooks';
import { sanitiseSvg } from '../browser-tools/sanitise-svg';
import type { ToolPart } from '../state/chat-state';
import type { CallOutcome } from '../wire/protocol';
import { ApprovalForm } from './approval-form';
import { useChat } from './chat-context';
import { CodeBlock } from './code-block';
import { duration, json, outputText, title } from './format';
import { Icon } from './icon';

type CardState = keyof typeof STATES;

const STATES = {
  waiting: 'Waits for you',
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  declined: 'Declined',
  expired: 'Expired',
  interrupted: 'Not finished',
} as const;

const STATE_OF: Readonly<Record<CallOutcome, CardState>> = {
  ok: 'done',
  error: 'failed',
  declined: 'declined',
  expired: 'expired',
  interrupted: 'interrupted',
};

/** One tool call: what is called with what, how it goes, and what came of it. */
export function ToolCard({ part, isLive }: { readonly part: ToolPart; readonly isLive: boolean }) {
  const state = stateOf(part, isLive);
  const isWaiting = state === 'waiting';
  const input = part.input === undefined ? part.inputText : json(part.input);
  const hasInput = input !== '' && input !== '{}';
  return (
    <div class={`tool ${state}`} part="tool">
      <details open={isWaiting}>
        <summary>
          <span class="tool-icon">
            {state === 'running' ? <span class="spinner" /> : <Icon name={iconOf(state)} />}
          </span>
          <span class="tool-name">{title(part.name)}</span>
          <span class="tool-state">{STATES[state]}</span>
          <Elapsed part={part} isRunning={state === 'running'} />
        </summary>
        <div class="tool-body">
          <p class="tool-id">
            <code>{part.name}</code>
            {part.kind === 'frontend' && ' runs in this page'}
            {part.ranAtProvider && ' ran at the provider of the model'}
          </p>
          {!isWaiting && hasInput && (
            <CodeBlock text={input} language="arguments" label="Arguments" />
          )}
          {part.output !== undefined && (
            <CodeBlock
              text={outputText(part.output)}
              language={state === 'failed' ? 'error' : 'result'}
              label={state === 'failed' ? 'Error' : 'Result'}
            />
          )}
        </div>
      </details>
      {state === 'running' && part.progress.length > 0 && (
        <p class="tool-progress">{json(part.progress.at(-1) ?? '')}</p>
      )}
      {part.output !== undefined && state === 'failed' && (
        <p class="tool-error">{outputText(part.output)}</p>
      )}
      {isWaiting && part.approval && <ApprovalForm part={part} approval={part.approval} />}
      {part.name === 'draw_svg' && state === 'done' && <Drawing part={part} />}
    </div>
  );
}

function stateOf(part: ToolPart, isLive: boolean): CardState {
  const { approval, outcome } = part;
  if (outcome !== undefined) return STATE_OF[outcome];
  if (approval?.answer === 'rejected') return 'declined';
  if (approval && approval.answer === undefined) return 'waiting';
  return isLive ? 'running' : 'interrupted';
}

function iconOf(state: CardState): 'check' | 'alert' | 'shield' | 'close' | 'tool' {
  if (state === 'done') return 'check';
  if (state === 'failed') return 'alert';
  if (state === 'waiting') return 'shield';
  return state === 'declined' || state === 'expired' ? 'close' : 'tool';
}

function Elapsed({ part, isRunning }: { readonly part: ToolPart; readonly isRunning: boolean }) {
  const [, tick] = useState(0);
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => tick((n) => n + 1), 500);
    return () => clearInterval(timer);
  }, [isRunning]);
  if (part.durationMs !== undefined)
    return <span class="tool-time">{duration(part.durationMs)}</span>;
  if (!isRunning || part.startedAt === undefined) return null;
  return (
    <span class="tool-time" aria-hidden="true">
      {duration(Math.floor((Date.now() - part.startedAt) / 500) * 500)}
    </span>
  );
}

/** What `draw_svg` drew, cleaned anew: the arguments are the model's, whoever hands them over. */
function Drawing({ part }: { readonly part: ToolPart }) {
  const { input } = part;
  const { hasDrawings } = useChat();
  const scope = `${useId()}-`;
  const svg = useMemo(
    () =>
      hasDrawings ? sanitiseSvg(input?.['svg'], json(input?.['title'] ?? ''), scope) : undefined,
    [input, hasDrawings, scope],
  );
  if (svg === undefined) return null;
  return <figure class="drawing" part="drawing" ref={(host) => host?.replaceChildren(svg)} />;
}
