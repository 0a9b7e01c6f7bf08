import { isAskingWord, isPlural, normalizeWord, wordsOf, writeVerbOf } from './words';

/**
 * Splits a message into requests: successive stages ("and then"), each with requests that may run
 * in parallel ("and"). Quoted text stays whole.
 */
export function splitRequests(
  message: string,
  toolWords: ReadonlySet<string>,
): readonly (readonly string[])[] {
  const quotes: string[] = [];
  const masked = message.replace(/"[^"]*"|“[^”]*”|`[^`]*`/g, (quote) => {
    quotes.push(quote);
    return `\uE000${quotes.length - 1}\uE001`;
  });
  const restore = (text: string) =>
    text.replace(/\uE000(\d+)\uE001/g, (_, index: string) => quotes[Number(index)] ?? '');
  return masked
    .split(
      /\s*(?:,?\s*\b(?:and|but)\s+then\b|,?\s*\bthen\b|\bafter that\b|\bafterwards\b|;|\n)\s*/i,
    )
    .map((stage) => sideBySide(stage, toolWords).map(restore).filter(hasWords))
    .filter((stage) => stage.length > 0);
}

function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

function sideBySide(stage: string, toolWords: ReadonlySet<string>): string[] {
  const parts = stage.split(/(\s*(?:,\s*and\b|\band\b|,|[.!?]+(?=\s|$))\s*)/i);
  const clauses: string[] = [];
  for (let index = 0; index < parts.length; index += 2) {
    const part = (parts[index] ?? '').trim();
    const joint = parts[index - 1] ?? '';
    const previous = clauses.at(-1);
    if (previous === undefined) {
      clauses.push(part);
      continue;
    }
    const isSentence = /[.!?]/.test(joint);
    if (part === '') continue;
    if (isSentence || startsRequest(part, toolWords)) clauses.push(part);
    else if (namesAnotherTool(part, previous, toolWords)) {
      clauses.push(`${leadOf(previous)} ${part}`);
    } else clauses[clauses.length - 1] = `${previous}${joint.trimEnd()} ${part}`;
  }
  return clauses;
}

/** "list workflows", "delete it": a verb at the head, or the first word of a tool's name. */
function startsRequest(part: string, toolWords: ReadonlySet<string>): boolean {
  const [first, second] = wordsOf(part.replace(/^(?:also|please|can you|could you)\s+/i, ''));
  if (first === undefined || second === undefined) return false;
  return (
    isAskingWord(first) ||
    writeVerbOf(first) !== undefined ||
    toolWords.has(`^${normalizeWord(first)}`)
  );
}

/** "… and workflows" after "show applications": the same request for another tool. */
function namesAnotherTool(part: string, previous: string, toolWords: ReadonlySet<string>): boolean {
  const words = wordsOf(part).filter((word) => !/^(?:the|my|all|failed|running)$/i.test(word));
  const [first] = words;
  if (first === undefined || words.length > 3 || !isPlural(words.at(-1) ?? '')) return false;
  const noun = normalizeWord(words.at(-1) ?? '');
  return toolWords.has(noun) && !wordsOf(previous).map(normalizeWord).includes(noun);
}

function leadOf(clause: string): string {
  return wordsOf(clause)[0] ?? 'show';
}
