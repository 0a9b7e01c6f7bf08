import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { count, json } from '../../view/content/format';
import { ApiError } from '../../wire';
import type { JsonValue, Usage } from '../protocol';
import { filled, type Words } from '../texts';
import { useWords } from './words-context';

/** Text as it is, which the keyboard can scroll. */
export function Code({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <pre role="group" aria-label={label} tabIndex={0}>
      {text}
    </pre>
  );
}

export function Json({ label, value }: { readonly label: string; readonly value: unknown }) {
  return <Code label={label} text={json(value as JsonValue)} />;
}

/** A part that is opened by its name. */
export function Fold({
  name,
  isOpen = false,
  children,
}: {
  readonly name: ComponentChildren;
  readonly isOpen?: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <details open={isOpen}>
      <summary>{name}</summary>
      {children}
    </details>
  );
}

interface FoldedProps {
  readonly name: string;
  readonly value: unknown;
  readonly isOpen?: boolean;
}

/** A text as it is, or a value as JSON, that is opened by its name. */
export function Folded({ name, value, isOpen = false }: FoldedProps) {
  return (
    <Fold name={name} isOpen={isOpen}>
      <Json label={name} value={value} />
    </Fold>
  );
}

interface RowProps {
  readonly name: string;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
  /** Its marks. */
  readonly children: ComponentChildren;
}

/** A row of a list, which opens its item. */
export function Row({ name, isOpen, onOpen, children }: RowProps) {
  return (
    <button type="button" class="row" aria-current={isOpen ? 'true' : undefined} onClick={onOpen}>
      <span class="row-name">{name}</span>
      <span class="marks">{children}</span>
    </button>
  );
}

interface InputProps {
  readonly name: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
}

export function Search({ name, value, onValue }: InputProps) {
  return (
    <label class="field">
      {name}
      <input
        type="search"
        value={value}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
      />
    </label>
  );
}

/** One of several values, each in words. */
export function Choice({
  name,
  value,
  options,
  onValue,
}: InputProps & { readonly options: readonly (readonly [value: string, words: string])[] }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{name}</label>
      <select id={id} value={value} onChange={({ currentTarget }) => onValue(currentTarget.value)}>
        {options.map(([each, words]) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
      </select>
    </div>
  );
}

export function Problem({ text }: { readonly text: string | undefined }) {
  return (
    <p class="problem" role="alert">
      {text}
    </p>
  );
}

/** The loaded value, or the error of loading. */
export interface Loaded<T> {
  readonly value?: T;
  readonly problem?: string;
}

/** Loads again when the key changes; late results of an older key are dropped. */
export function useLoaded<T>(key: string, load: () => Promise<T>): Loaded<T> {
  const words = useWords();
  const [loaded, setLoaded] = useState<Loaded<T>>({});
  useEffect(() => {
    let isWanted = true;
    setLoaded({});
    load().then(
      (value) => isWanted && setLoaded({ value }),
      (error: unknown) => isWanted && setLoaded({ problem: messageOf(error, words) }),
    );
    return () => void (isWanted = false);
  }, [key]);
  return loaded;
}

/** Runs work, and keeps the message of the last failure. */
export function useAttempt() {
  const words = useWords();
  const [problem, setProblem] = useState<string>();
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setProblem(undefined);
    try {
      await work();
    } catch (error) {
      setProblem(messageOf(error, words));
    }
  };
  return { problem, setProblem, attempt };
}

/** An error in the server's words, or in those of the workbench. */
function messageOf(error: unknown, { problems }: Words): string {
  if (!(error instanceof ApiError)) return problems.network;
  return error.message || filled(problems.status, { status: error.status });
}

/** Shows that something loads, or why it could not. */
export function Pending({ of: { value, problem } }: { readonly of: Loaded<unknown> }) {
  const { loading } = useWords();
  if (problem !== undefined) return <Problem text={problem} />;
  return value === undefined ? <p class="faint">{loading}</p> : null;
}

/** A heading that takes the focus when its part is opened. */
export function FocusedHeading({ text, id }: { readonly text: string; readonly id: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [id]);
  return (
    <h2 ref={heading} tabIndex={-1}>
      {text}
    </h2>
  );
}

/** Tokens, those from the cache, and the cost where it is known. */
export function Spent({
  usage,
  cost,
}: {
  readonly usage: Usage;
  readonly cost?: number | undefined;
}) {
  const { runs: T, locale } = useWords();
  const { inputTokens, outputTokens, cachedInputTokens } = usage;
  const parts = [
    filled(T.tokens, { input: count(inputTokens, locale), output: count(outputTokens, locale) }),
    ...(cachedInputTokens > 0
      ? [filled(T.cached, { count: count(cachedInputTokens, locale) })]
      : []),
    ...(cost === undefined ? [] : [filled(T.cost, { cost: cost.toPrecision(3) })]),
  ];
  return <>{parts.join(' · ')}</>;
}
