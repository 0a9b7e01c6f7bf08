import type { AskedRun, Part } from '../../state';
import { filled } from '../../texts';
import type { RunStatus } from '../../wire';
import { Line, useTexts } from '../base';
import { Markdown, title } from '../content';
import { Sources } from './sources';
import { ToolCard } from './tool-card';

interface PartsProps {
  readonly parts: readonly Part[];
  /** That of their run: while it runs, more of them may come. */
  readonly status: RunStatus;
  readonly isUploading?: boolean | undefined;
  /** They are those of an asked agent. */
  readonly isAsked?: boolean;
}

/** An agent's words, thoughts and calls, in the order they came. */
export function Parts({ parts, status, isUploading, isAsked = false }: PartsProps) {
  const isLive = status === 'running';
  return (
    <>
      {keyed(parts).map(([key, part]) => (
        <PartView
          key={key}
          part={part}
          status={status}
          isGrowing={isLive && part === parts.at(-1)}
          isAsked={isAsked}
        />
      ))}
      {isLive && needsSign(parts.at(-1)) && <Working isUploading={isUploading} />}
    </>
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

function Working({ isUploading }: { readonly isUploading: boolean | undefined }) {
  const texts = useTexts();
  return (
    <p class="working">
      <span class="dots" aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      {isUploading ? (
        <span class="note"> {texts.uploading}</span>
      ) : (
        <span class="hidden">{texts.working}</span>
      )}
    </p>
  );
}

/** The texts and calls of an asked agent. Screen readers do not announce them as they arrive. */
function AskedAccount({ run, status }: { readonly run: AskedRun; readonly status: RunStatus }) {
  const texts = useTexts();
  return (
    <div
      class="asked"
      part="asked"
      role="group"
      aria-label={filled(texts.askedAgent, { agent: title(run.agent) })}
      aria-live="off"
    >
      <Line class="note">{run.compacted && texts.compacted}</Line>
      <Parts parts={run.parts} status={status} isAsked />
      {run.sources && <Sources sources={run.sources} />}
    </div>
  );
}

interface PartProps {
  readonly part: Part;
  readonly status: RunStatus;
  readonly isGrowing: boolean;
  readonly isAsked: boolean;
}

function PartView({ part, status, isGrowing, isAsked }: PartProps) {
  const texts = useTexts();
  switch (part.type) {
    case 'tool':
      return (
        <ToolCard part={part} status={status} isAsked={isAsked}>
          {part.asked && (
            <AskedAccount run={part.asked} status={part.outcome ? 'completed' : status} />
          )}
        </ToolCard>
      );
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
          <summary>{isGrowing ? texts.thinking : texts.thoughts}</summary>
          <div class="thinking-text" dir="auto">
            {part.text}
          </div>
        </details>
      );
  }
}
