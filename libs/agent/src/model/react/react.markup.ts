/** The meaning of a tag of the protocol. Models are taught the first of each and write the rest. */
export type TagKind = 'think' | 'call' | 'answer' | 'observation';

const TAGS: ReadonlyMap<string, TagKind> = new Map([
  ['think', 'think'],
  ['thinking', 'think'],
  ['thought', 'think'],
  ['tool_call', 'call'],
  ['toolcall', 'call'],
  ['function_call', 'call'],
  ['action', 'call'],
  ['answer', 'answer'],
  ['final_answer', 'answer'],
  ['ask', 'answer'],
  ['question', 'answer'],
  ['observation', 'observation'],
  ['tool_result', 'observation'],
]);

/** Maximum length of a tag or of a line's head, including its blanks. */
const LONGEST_HEAD = 200;

interface Tag {
  readonly kind: TagKind;
  readonly isClosing: boolean;
  readonly length: number;
}

/**
 * The tag at the start of a text; `maybe` if more text is needed to decide, `none` if it is
 * ordinary text.
 */
export function tagAt(text: string): Tag | 'maybe' | 'none' {
  const match = /^<(\/?)\s*([a-z_]*)(\s[^<>]*)?(>?)/i.exec(text);
  if (match === null) return 'none';
  const [whole, slash, name = '', , end] = match;
  const kind = TAGS.get(name.toLowerCase());
  if (kind !== undefined && end === '>') {
    return { kind, isClosing: slash === '/', length: whole.length };
  }
  if (whole.length < text.length || text.length > LONGEST_HEAD) return 'none';
  const isBeginning = [...TAGS.keys()].some((tag) => tag.startsWith(name.toLowerCase()));
  return isBeginning ? 'maybe' : 'none';
}

/** The lines of the classic form, which some models write instead of tags. */
const LINES: ReadonlyMap<string, TagKind> = new Map([
  ['thought', 'think'],
  ['action', 'call'],
  ['answer', 'answer'],
  ['final answer', 'answer'],
  ['observation', 'observation'],
]);

/**
 * The head of a line: a word and a colon, perhaps in bold or, as in the paper, with the number of
 * its step; `maybe` and `none` as in `tagAt`.
 *
 * @see https://arxiv.org/abs/2210.03629
 */
export function lineHeadAt(
  text: string,
): { readonly kind: TagKind; readonly length: number } | 'maybe' | 'none' {
  const begin = text.slice(0, LONGEST_HEAD);
  const [head, word = ''] =
    /^\s*\**([a-z]+(?: [a-z]+)?)(?: \d{1,3})?\**[^\S\n]*:\**[^\S\n]*/i.exec(begin) ?? [];
  const kind = LINES.get(word.toLowerCase());
  if (head !== undefined && kind !== undefined) return { kind, length: head.length };
  return mayBegin(text, [...LINES.keys()]) ? 'maybe' : 'none';
}

/** Whether a text is the beginning of a line that begins with one of these words. */
export function mayBegin(text: string, words: readonly string[]): boolean {
  if (text.length > LONGEST_HEAD) return false;
  // Trimmed first: blanks that more than one part of a pattern may take are tried in every way.
  const start = /^\**([a-z ]*?)(?: \d{0,3})?\**[^\S\n]*$/i
    .exec(text.trimStart())?.[1]
    ?.toLowerCase();
  return start !== undefined && words.some((word) => word.startsWith(start));
}

/** The end of the JSON value at the start of a text; `undefined` while it is incomplete. */
export function endOfJson(text: string): number | undefined {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index++) {
    const char = text.charAt(index);
    if (isInString) {
      if (char === '\\') index++;
      else if (char === '"') isInString = false;
    } else if (char === '"') isInString = true;
    else if (char === '{' || char === '[') depth++;
    else if (char === '}' || char === ']') {
      depth--;
      if (depth <= 0) return index + 1;
    }
  }
  return undefined;
}
