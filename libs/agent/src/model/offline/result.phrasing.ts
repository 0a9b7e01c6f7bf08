import { jsonIn, shortened } from '../../internal';
import {
  isJsonObject,
  resultText,
  type JsonObject,
  type JsonValue,
  type ResultContent,
} from '../../message';

const MAX_ITEMS = 20;
const MAX_FIELDS = 6;
const MAX_TEXT = 1_500;
const TITLES = ['name', 'title', 'id', 'key', 'slug', 'label'];

export interface SettledCall {
  readonly name: string;
  readonly input: JsonObject;
  readonly content: ResultContent;
  readonly isError: boolean;
}

/** A tool's result in words and short lists. */
export function phraseResult(call: SettledCall): string {
  const text = resultText(call.content).trim();
  if (call.isError) return phraseError(call.name, text);
  const value = jsonIn(text) as JsonValue | undefined;
  if (value === undefined) {
    return text === '' ? `Done: ${spoken(call.name)}.` : shortened(text, MAX_TEXT);
  }
  return phraseValue(call, value);
}

function phraseValue(call: SettledCall, value: JsonValue): string {
  const what = spoken(call.name);
  if (Array.isArray(value)) return phraseList(what, value as readonly JsonValue[]);
  if (isJsonObject(value)) {
    const entries = Object.entries(value);
    if (entries.length === 0) return `Done: ${what}.`;
    const lists = entries.filter(([, field]) => isListOfObjects(field));
    const [list] = lists;
    if (list !== undefined && lists.length === 1) {
      const others = entries.filter(([key, field]) => key !== list[0] && isScalar(field));
      const rest = others.map(([key, field]) => `${spoken(key)}: ${inline(field)}`).join(', ');
      const [key, items] = list;
      return (
        phraseList(spoken(key), items as readonly JsonValue[]) + (rest === '' ? '' : `\n\n${rest}`)
      );
    }
    return `Here is what ${what} says:\n${fieldLines(value)}`;
  }
  if (value === null) return `Done: ${what}. It gave nothing back.`;
  if (typeof value === 'string') return shortened(value, MAX_TEXT);
  return `The result of ${what}${inputWords(call.input)} is ${inline(value)}.`;
}

function phraseList(what: string, items: readonly JsonValue[]): string {
  if (items.length === 0) return `Nothing found (${what}).`;
  return listed(`Found ${items.length} (${what}):`, items, MAX_ITEMS, phraseItem);
}

/** The first items, each on a line of its own, and how many more there are. */
export function listed<T>(
  heading: string,
  items: readonly T[],
  most: number,
  lineOf: (item: T) => string,
): string {
  const lines = items.slice(0, most).map((item) => `- ${lineOf(item)}`);
  const more = items.length - lines.length;
  return [heading, ...lines, ...(more > 0 ? [`… and ${more} more.`] : [])].join('\n');
}

function phraseItem(item: JsonValue): string {
  if (!isJsonObject(item)) return inline(item);
  const title = TITLES.find((key) => Object.hasOwn(item, key) && isScalar(item[key]));
  const fields = Object.entries(item)
    .filter(([key, value]) => key !== title && value !== null && isScalar(value))
    .slice(0, MAX_FIELDS)
    .map(([key, value]) => `${spoken(key)}: ${inline(value)}`)
    .join(', ');
  if (title === undefined) return fields;
  const head = `**${inline(item[title])}**`;
  return fields === '' ? head : `${head} (${fields})`;
}

function fieldLines(value: JsonObject): string {
  return Object.entries(value)
    .map(([key, field]) => {
      const lines = isJsonObject(field)
        ? Object.entries(field).map(([name, one]) => `${spoken(name)}: ${inline(one)}`)
        : isListOfObjects(field) && field.slice(0, MAX_ITEMS).map(phraseItem);
      const text = lines ? lines.map((line) => `\n  - ${line}`).join('') : ` ${inline(field)}`;
      return `- ${spoken(key)}:${text}`;
    })
    .join('\n');
}

function phraseError(name: string, text: string): string {
  const what = spoken(name);
  const reason = shortened(text.replace(/^error:\s*/i, ''), MAX_TEXT) || 'no reason was given';
  if (/\b(?:403|forbidden|permission|not allowed|may not|role)\b/i.test(text)) {
    return `Sorry, you are not allowed to do this (${what}): ${reason}`;
  }
  if (/\b(?:401|unauthori[sz]ed|authenticat\w*|log in)\b/i.test(text)) {
    return `Sorry, this needs you to be logged in (${what}): ${reason}`;
  }
  if (/\b(?:declined|rejected)\b/i.test(text)) return `All right, I left it (${what}): ${reason}`;
  return `Sorry, that did not work (${what}): ${reason}`;
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

function isListOfObjects(value: unknown): value is readonly JsonObject[] {
  return Array.isArray(value) && value.length > 0 && value.every(isJsonObject);
}

function inline(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return 'none';
  if (typeof value === 'string') return shortened(value.replace(/\s+/g, ' '), 200);
  if (Array.isArray(value)) {
    const items = (value as readonly JsonValue[]).slice(0, MAX_ITEMS).map(inline);
    return items.length === 0 ? 'none' : items.join(', ');
  }
  if (isJsonObject(value)) {
    return Object.entries(value)
      .map(([key, field]) => `${spoken(key)} ${isScalar(field) ? inline(field) : '…'}`)
      .join(', ');
  }
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'number' ? String(value) : '…';
}

function inputWords(input: JsonObject): string {
  const values = Object.values(input).filter(isScalar);
  return values.length === 0 ? '' : ` for ${values.map(inline).join(' and ')}`;
}

/** `list_userGroups` → `list user groups`. */
export function spoken(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase();
}
