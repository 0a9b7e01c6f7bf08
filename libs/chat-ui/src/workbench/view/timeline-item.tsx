import { useState } from 'preact/hooks';
import { Button } from '../../view/base/button';
import { count, duration, json, outputText, when } from '../../view/content/format';
import type {
  ContentBlock,
  InspectedRequest,
  JsonValue,
  RunTimeline,
  TimelineItem,
} from '../protocol';
import { filled } from '../texts';
import type { WorkbenchApi } from '../workbench-api';
import { Code, Fold, Folded, Json, Problem, Spent, useAttempt } from './parts';
import { useWords } from './words-context';

interface ItemProps<Shown extends TimelineItem = TimelineItem> {
  readonly api: WorkbenchApi;
  readonly run: RunTimeline;
  readonly item: Shown;
}

/** One thing that happened in a run. */
export function Item({ api, run, item }: ItemProps) {
  const { runs: T, locale } = useWords();
  switch (item.type) {
    case 'said':
      return (
        <>
          <h3>
            {T.said} <Time at={item.at} />
          </h3>
          <p class="text">{item.text}</p>
          {item.attachments.length > 0 && <p class="faint">{item.attachments.join(', ')}</p>}
        </>
      );
    case 'model':
      return <ModelCall api={api} run={run} item={item} />;
    case 'call':
      return <Call item={item} />;
    case 'wait':
      return (
        <>
          <h3>
            {T.waits} {item.action.type}: {item.action.name}
            {item.action.agent !== undefined && ` (${item.action.agent})`}
          </h3>
          <p>
            {item.answer === undefined ? T.open2 : T.answered[item.answer]} {item.reason}
          </p>
          {item.edited && <Json label={T.waits} value={item.edited} />}
        </>
      );
    case 'parked':
    case 'resumed':
      return (
        <p>
          {T[item.type]} <Time at={item.at} />
        </p>
      );
    case 'notice':
      return (
        <p>
          {T.notice} <code>{item.code}</code> {item.message}
        </p>
      );
    case 'compacted':
      return (
        <p>
          {filled(T.summary, {
            before: count(item.tokensBefore, locale),
            after: count(item.tokensAfter, locale),
            messages: item.messages,
          })}{' '}
          <span class="faint">
            <Spent usage={item.usage} cost={item.cost} />
          </span>
        </p>
      );
    case 'asked':
      return <Folded name={T.asked} value={item.told} />;
    case 'asked_spent':
      return (
        <p class="faint">
          {T.asked}: {item.modelName} · <Spent usage={item.usage} cost={item.cost} />
        </p>
      );
  }
}

function Time({ at }: { readonly at: string | undefined }) {
  return at === undefined ? null : <span class="faint">{when(at)}</span>;
}

function Call({ item }: { readonly item: Extract<TimelineItem, { type: 'call' }> }) {
  const { runs: T, attempt } = useWords();
  const isGood = item.outcome === 'ok';
  return (
    <>
      <h3>
        {item.name} <span class="mark">{item.kind}</span>{' '}
        <span class={`mark ${isGood ? 'good' : 'warn'}`}>{item.outcome ?? T.open2}</span>{' '}
        {item.durationMs !== undefined && <span class="faint">{duration(item.durationMs)}</span>}
      </h3>
      <Json label={attempt.arguments} value={item.input} />
      {item.progress.length > 0 && <Json label={attempt.logs} value={item.progress} />}
      {item.output !== undefined && <Folded name={attempt.model} value={outputText(item.output)} />}
    </>
  );
}

function ModelCall({ api, run, item }: ItemProps<Extract<TimelineItem, { type: 'model' }>>) {
  const { runs: T } = useWords();
  const [request, setRequest] = useState<InspectedRequest>();
  const { problem, attempt } = useAttempt();
  const show = (): Promise<void> =>
    attempt(async () => setRequest(await api.requestOf(run, item.step)));
  const { timing } = item;
  return (
    <>
      <h3>
        {filled(T.modelCall, { step: item.step })} <span class="mark">{item.finishReason}</span>{' '}
        <Time at={item.at} />
      </h3>
      <p class="faint">
        {timing && `${duration(timing.totalMs)} · `}
        {timing?.firstTokenMs !== undefined &&
          `${filled(T.firstToken, { time: duration(timing.firstTokenMs) })} · `}
        <Spent usage={item.usage} cost={item.cost} />
      </p>
      {item.content.map((block, index) => (
        <Block key={index} block={block} />
      ))}
      {request === undefined && (
        <Button
          words={T.request}
          class="quiet"
          aria-label={filled(T.requestOf, { step: item.step })}
          onClick={() => void show()}
        />
      )}
      {problem !== undefined && <Problem text={problem} />}
      {request && <Request of={request} />}
    </>
  );
}

/** A part of an answer; its calls follow as items of their own. */
function Block({ block }: { readonly block: ContentBlock }) {
  switch (block.type) {
    case 'text':
      return <p class="text">{block.text}</p>;
    case 'reasoning':
      return <p class="text faint">{block.text}</p>;
    case 'tool_use':
      return null;
    default:
      return <Json label={block.type} value={block} />;
  }
}

function Request({ of: { request, isCompacted } }: { readonly of: InspectedRequest }) {
  const { runs: T } = useWords();
  const { system, messages, tools, ...settings } = request;
  return (
    <div class="request">
      <p class="note">
        {T.rebuilt} {isCompacted && T.compacted}
      </p>
      {system !== undefined && <Folded name={T.system} value={system} isOpen />}
      <Fold name={`${T.messages} (${messages.length})`} isOpen>
        {messages.map((message, index) => (
          <Code
            key={index}
            label={`${message.role} ${index + 1}`}
            text={`${message.role}: ${json(message.content as unknown as JsonValue)}`}
          />
        ))}
      </Fold>
      <Fold name={`${T.tools} (${tools.length})`}>
        <Json label={T.tools} value={tools} />
      </Fold>
      <Folded name={T.settings} value={settings} />
    </div>
  );
}
