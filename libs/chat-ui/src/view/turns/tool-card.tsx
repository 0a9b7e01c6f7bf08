import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { callsIn, isWaiting, type ToolPart } from '../../state';
import { filled, type Texts } from '../../texts';
import type { RunStatus } from '../../wire';
import { Icon, Line, useTexts } from '../base';
import { CodeBlock, Drawing, duration, json, outputText, shortened, title } from '../content';
import { ApprovalForm } from './approval-form';
import { ICONS, stateOf } from './card-state';

interface ToolCardProps {
  readonly part: ToolPart;
  /** That of its run. */
  readonly status: RunStatus;
  /** It is the call of an asked agent. */
  readonly isAsked: boolean;
  /** The work of the agent that the call asks. */
  readonly children: ComponentChildren;
}

/**
 * One tool call: its name, arguments, progress and result. One that asks an agent has that agent's
 * calls collapsed in it; but their approvals are outside, so that none is ever hidden.
 */
export function ToolCard({ part, status, isAsked, children }: ToolCardProps) {
  const texts = useTexts();
  const state = stateOf(part, status);
  const isRunning = state === 'running';
  const isFailed = state === 'failed';
  const approvals = isAsked ? [] : callsIn([part]).filter(isWaiting);
  const question = questionOf(part);
  const input = part.input === undefined ? part.inputText : json(part.input);
  const hasArguments = !approvals.includes(part) && input !== '' && input !== '{}';
  const output = part.output === undefined ? undefined : outputText(part.output);
  return (
    <div class={`tool ${state}`} part="tool">
      <details open={isWaiting(part) && !isAsked}>
        <summary>
          <span class="tool-icon">
            {isRunning ? <span class="spinner" /> : <Icon name={ICONS[state]} />}
          </span>
          <span class="tool-name">{title(part.name)}</span>
          <span class="tool-state">{texts.calls[state]}</span>
          <Elapsed part={part} isRunning={isRunning} />
          {question !== undefined && (
            <span class="tool-question" dir="auto">
              {shortened(question)}
            </span>
          )}
        </summary>
        <div class="tool-body">
          <p class="tool-id">
            <code>{part.name}</code>
            {part.kind === 'frontend' && ` ${texts.ranInPage}`}
            {part.ranAtProvider && ` ${texts.ranAtProvider}`}
          </p>
          {question !== undefined ? (
            <p class="question" dir="auto">
              <span class="hidden">{texts.question}: </span>
              {question}
            </p>
          ) : (
            hasArguments && <CodeBlock text={input} label={texts.arguments} />
          )}
          {children}
          {output !== undefined && !isSaid(part, output) && (
            <CodeBlock text={output} label={isFailed ? texts.error : texts.result} />
          )}
        </div>
      </details>
      <Line class="tool-progress">{isRunning && progressOf(part, texts)}</Line>
      <Line class="tool-error">{isFailed && output}</Line>
      {approvals.map(
        (call) =>
          call.approval && <ApprovalForm key={call.callId} part={call} approval={call.approval} />,
      )}
      {part.name === 'draw_svg' && state === 'done' && <Drawing part={part} />}
    </div>
  );
}

/** The question to another agent; missing for other calls, and until the model has written it. */
function questionOf({ kind, asked, input }: ToolPart): string | undefined {
  const message = kind === 'agent' || asked ? input?.['message'] : undefined;
  return typeof message === 'string' && message !== '' ? message : undefined;
}

/** Whether the result is the asked agent's last text, which is shown already. */
function isSaid({ asked }: ToolPart, output: string): boolean {
  const last = asked?.parts.at(-1);
  return last?.type === 'text' && last.text.trim() === output.trim();
}

/** The progress of the tool, or of the asked agent. */
function progressOf({ progress, asked }: ToolPart, texts: Texts): string {
  const open = callsIn(asked?.parts ?? []).filter(({ outcome }) => outcome === undefined);
  const last = open.at(-1);
  return last
    ? filled(texts.news.running, { tool: title(last.name) })
    : json(progress.at(-1) ?? '');
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
