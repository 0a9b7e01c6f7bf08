/** What a tag of the protocol stands for. Models are taught the first of each and write the rest. */
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

export interface Tag {
  readonly kind: TagKind;
  readonly isClosing: boolean;
  readonly length: number;
}

/**
 * The tag at the start of a text; `maybe` where more has to come before anybody can tell, `none`
 * where it is ordinary text.
 */
export function tagAt(text: string): Tag | 'maybe' | 'none' {
  const match = /^<(\/?)\s*([a-z_]*)(\s[^<>]*)?(>?)/i.exec(text);
  if (match === null) return 'none';
  const [whole, slash, name = '', , end] = match;
  const kind = TAGS.get(name.toLowerCase());
  if (kind !== undefined && end === '>') {
    return { kind, isClosing: slash === '/', length: whole.length };
  }
  if (whole.length < text.length || text.length > 200) return 'none';
  const isBeginning = [...TAGS.keys()].some((tag) => tag.startsWith(name.toLowerCase()));
  return isBeginning ? 'maybe' : 'none';
}

/** Where the JSON value that a text begins with ends, or `undefined` while it goes on. */
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
