import { useEffect, useState } from 'preact/hooks';
import type { ToolPart } from '../../state';
import { TEXTS } from '../../texts';
import type { CallOutcome } from '../../wire';
import { Icon, Line, type IconName } from '../base';
import { CodeBlock, Drawing, duration, json, outputText, title } from '../content';
import { ApprovalForm } from './approval-form';

type CardState = keyof typeof TEXTS.calls;

const STATE_OF: Readonly<Record<CallOutcome, CardState>> = {
  ok: 'done',
  error: 'failed',
  declined: 'declined',
  expired: 'expired',
  interrupted: 'interrupted',
};

const ICONS: Readonly<Record<CardState, IconName>> = {
  done: 'check',
  failed: 'alert',
  waiting: 'shield',
  elsewhere: 'shield',
  declined: 'close',
  expired: 'close',
  running: 'tool',
  interrupted: 'tool',
};

/** One tool call: its name, arguments, progress and result. */
export function ToolCard({ part, isLive }: { readonly part: ToolPart; readonly isLive: boolean }) {
  const state = stateOf(part, isLive);
  const isWaiting = state === 'waiting';
  const isRunning = state === 'running';
  const isFailed = state === 'failed';
  const input = part.input === undefined ? part.inputText : json(part.input);
  const output = part.output === undefined ? undefined : outputText(part.output);
  return (
    <div class={`tool ${state}`} part="tool">
      <details open={isWaiting}>
        <summary>
          <span class="tool-icon">
            {isRunning ? <span class="spinner" /> : <Icon name={ICONS[state]} />}
          </span>
          <span class="tool-name">{title(part.name)}</span>
          <span class="tool-state">{TEXTS.calls[state]}</span>
          <Elapsed part={part} isRunning={isRunning} />
        </summary>
        <div class="tool-body">
          <p class="tool-id">
            <code>{part.name}</code>
            {part.kind === 'frontend' && TEXTS.ranInPage}
            {part.ranAtProvider && TEXTS.ranAtProvider}
          </p>
          {!isWaiting && input !== '' && input !== '{}' && (
            <CodeBlock text={input} label={TEXTS.arguments} />
          )}
          {output !== undefined && (
            <CodeBlock text={output} label={isFailed ? TEXTS.error : TEXTS.result} />
          )}
        </div>
      </details>
      <Line class="tool-progress">{isRunning && json(part.progress.at(-1) ?? '')}</Line>
      <Line class="tool-error">{isFailed && output}</Line>
      {isWaiting && part.approval && <ApprovalForm part={part} approval={part.approval} />}
      {part.name === 'draw_svg' && state === 'done' && <Drawing part={part} />}
    </div>
  );
}

function stateOf({ approval, isExternal, outcome }: ToolPart, isLive: boolean): CardState {
  if (outcome !== undefined) return STATE_OF[outcome];
  if (approval?.answer === 'rejected') return 'declined';
  if (approval && approval.answer === undefined) return 'waiting';
  if (isExternal) return 'elsewhere';
  return isLive ? 'running' : 'interrupted';
}

function Elapsed({ part, isRunning }: { readonly part: ToolPart; readonly isRunning: boolean }) {
  const { durationMs, startedAt } = part;
  const [, tick] = useState(0);
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => tick((n) => n + 1), 500);
    return () => clearInterval(timer);
  }, [isRunning]);
  if (durationMs !== undefined) return <span class="tool-time">{duration(durationMs)}</span>;
  if (!isRunning || startedAt === undefined) return null;
  return (
    <span class="tool-time" aria-hidden="true">
      {duration(Math.floor((Date.now() - startedAt) / 500) * 500)}
    </span>
  );
}
