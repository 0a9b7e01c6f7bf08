import { isAskingWord, isStopWord, writeVerbOf } from './words';

/** The form of a value in a request. */
type ValueKind =
  | 'quoted'
  | 'url'
  | 'email'
  | 'uuid'
  | 'date'
  | 'version'
  | 'number'
  /** `demo-app`, `Europe/Berlin`, `wf12`, `/srv/files`, or a name that an earlier result held. */
  | 'identifier'
  /** A plain word that a preposition or a capital letter makes a value: `for payments`. */
  | 'word';

/** A value in a request, with the words around it. */
export interface ClauseValue {
  readonly kind: ValueKind;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** The words before it, the nearest first, in lower case. */
  readonly before: readonly string[];
  /** The word behind it, in lower case. */
  readonly after: string;
}

const PATTERNS: readonly (readonly [ValueKind, RegExp])[] = [
  ['quoted', /"([^"]+)"|“([^”]+)”|`([^`]+)`|(?<![\p{L}\p{N}])'([^']+)'(?![\p{L}\p{N}])/gu],
  ['url', /https?:\/\/[^\s"'<>]*[^\s"'<>.,;!?)]/g],
  ['email', /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g],
  ['uuid', /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi],
  ['date', /\b\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?)?\b/g],
  ['version', /(?<![\w.-])v?\d+\.\d+\.\d+(?:[-+][\w.-]*\w)?\b|(?<![\w.-])v\d+(?:\.\d+)*\b/gi],
  ['identifier', /(?<![\w/.~])(?:\.{1,2}|~)?\/\p{L}[\p{L}\p{N}]*(?:[-_/.]+[\p{L}\p{N}]+)*/gu],
  [
    'identifier',
    /(?<![\w-])\p{L}[\p{L}\p{N}]*(?:[-_/.][\p{L}\p{N}]+)+|(?<![\w-])\p{L}+\d+[\p{L}\d]*/gu,
  ],
  ['number', /(?<![\p{L}\p{N}_.])-?\d+(?:\.\d+)?(?![\p{L}_])/gu],
  ['word', /(?<=[^.!?\s]\s+)\p{Lu}[\p{L}\p{N}]+(?:\s+\p{Lu}[\p{L}\p{N}]+)*/gu],
];

const PREPOSITIONS =
  /\b(?:for|of|in|to|from|on|at|by|with|named|called|as|about)\s+(?:the\s+|my\s+|an?\s+|our\s+)?(\p{L}[\p{L}\p{N}]*)\b/giu;
const NO_VALUES = new Set(
  'me my us it its the a an all any this that these those them everything everyone today now please each every what which i you we'.split(
    ' ',
  ),
);

/** Hints for reading a request. */
interface ClauseHints {
  /** Names of earlier results. */
  readonly known?: ReadonlySet<string>;
  /** Words that a value follows, such as the parameters' names: `breed siamese`. */
  readonly labels?: ReadonlySet<string>;
}

/** The values in a request, in order, none inside another. */
export function valuesIn(
  clause: string,
  { known = new Set(), labels = new Set() }: ClauseHints = {},
): ClauseValue[] {
  const values: ClauseValue[] = [];
  const add = (kind: ValueKind, text: string, start: number, end: number) => {
    if (values.some((other) => start < other.end && other.start < end)) return;
    values.push({ kind, text, start, end, ...around(clause, start, end) });
  };
  for (const [kind, pattern] of PATTERNS) {
    if (kind === 'word') addKnown(clause, known, add);
    for (const match of clause.matchAll(pattern)) {
      const text = match.slice(1).find((group) => group !== undefined) ?? match[0];
      if (kind === 'word' && /^I$/.test(text)) continue;
      add(kind, text, match.index, match.index + match[0].length);
    }
  }
  for (const match of [...labelled(clause, labels), ...clause.matchAll(PREPOSITIONS)]) {
    const word = match[1] ?? '';
    if (NO_VALUES.has(word.toLowerCase()) || isAskingWord(word)) continue;
    if (writeVerbOf(word) !== undefined) continue;
    const end = match.index + match[0].length;
    add('word', word, end - word.length, end);
  }
  return values.sort((a, b) => a.start - b.start);
}

/** A request with blanks in place of some of its values. */
export function withoutValues(clause: string, values: readonly ClauseValue[]): string {
  return values.reduce(
    (text, { start, end }) => text.slice(0, start) + ' '.repeat(end - start) + text.slice(end),
    clause,
  );
}

function labelled(clause: string, labels: ReadonlySet<string>): RegExpExecArray[] {
  if (labels.size === 0) return [];
  // A name of several words, such as `breed name`, is one label.
  const names = [...labels].join('|');
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${names})(?:\\s+(?:${names}))*(?:\\s*[:=]\\s*|\\s+(?:is\\s+)?)(\\p{L}[\\p{L}\\p{N}]*)`,
    'giu',
  );
  return [...clause.matchAll(pattern)].filter(
    ([, word = '']) => !isStopWord(word) && !labels.has(word.toLowerCase()),
  );
}

function addKnown(
  clause: string,
  known: ReadonlySet<string>,
  add: (kind: ValueKind, text: string, start: number, end: number) => void,
): void {
  const lower = clause.toLowerCase();
  for (const name of known) {
    const start = lower.indexOf(name.toLowerCase());
    if (start === -1) continue;
    const isWhole = !/[\w-]/.test(clause.charAt(start - 1) + clause.charAt(start + name.length));
    if (isWhole) add('identifier', name, start, start + name.length);
  }
}

function around(clause: string, start: number, end: number): Pick<ClauseValue, 'before' | 'after'> {
  const words = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}_]+|[=:]/gu) ?? [];
  return {
    before: words(clause.slice(Math.max(0, start - 60), start))
      .slice(-4)
      .reverse(),
    after: words(clause.slice(end, end + 40))[0] ?? '',
  };
}
