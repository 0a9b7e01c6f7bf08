import MiniSearch from 'minisearch';
import type { JsonObject } from '../../message';
import type { ToolDefinition } from '../../tool';
import { fillArguments, type Memory } from './argument.filler';
import type { Parameter } from './json-schema.reader';
import { parametersOf } from './json-schema.reader';
import {
  intentOf,
  isPlural,
  isReadWord,
  isStopWord,
  normalizeWord,
  wordsOf,
  writeVerbOf,
} from './words';

/** A tool with the arguments that a request gives it. */
export interface Candidate {
  readonly tool: ToolDefinition;
  readonly input: JsonObject;
  readonly missing: readonly Parameter[];
  readonly score: number;
}

interface RankedTool {
  readonly definition: ToolDefinition;
  readonly nameWords: readonly string[];
  readonly nouns: ReadonlySet<string>;
  readonly verb: string | undefined;
}

/** How many of the best hits have their arguments tried. */
const TRIED = 12;
const LISTING = new Set(['list', 'search', 'all']);

/** Ranks tools against a request: by what they are called, what they do and what they can take. */
export class ToolRanker {
  private readonly tools: ReadonlyMap<string, RankedTool>;
  private readonly index: MiniSearch;

  constructor(definitions: readonly ToolDefinition[]) {
    this.tools = new Map(definitions.map((definition) => [definition.name, describe(definition)]));
    this.index = new MiniSearch({
      idField: 'id',
      fields: ['name', 'description', 'parameters'],
      tokenize: (text) => [...wordsOf(text.replaceAll('_', ' '))],
      processTerm: (term) => (isStopWord(term) ? null : normalizeWord(term)),
      searchOptions: {
        boost: { name: 4, description: 1, parameters: 1.5 },
        fuzzy: (term) => (term.length > 5 ? 0.2 : false),
        prefix: (term) => term.length > 4,
      },
    });
    this.index.addAll(
      [...this.tools.values()].map(({ definition, nameWords }) => ({
        id: definition.name,
        name: nameWords.join(' '),
        description: definition.description,
        parameters: parametersOf(definition.input_schema)
          .flatMap(({ name, schema }) => [name, ...(schema.enum ?? []).map(String)])
          .join(' '),
      })),
    );
  }

  /** Every word that tools are called after; `^list` where a name begins with it. */
  get words(): ReadonlySet<string> {
    const words = new Set<string>();
    for (const { nameWords } of this.tools.values()) {
      nameWords.forEach((word) => words.add(word));
      if (nameWords[0] !== undefined) words.add(`^${nameWords[0]}`);
    }
    return words;
  }

  /** The tool that a request means, or `undefined` where none fits well enough. */
  best(request: string, memory: Memory, isForced = false): Candidate | undefined {
    const clause = spellOut(request);
    const named = [...this.tools.values()].filter(({ definition: { name } }) =>
      new RegExp(`(?<![\\w-])${name}(?![\\w-])`, 'i').test(request),
    );
    const [only] = named;
    if (only !== undefined && named.length === 1 && only.definition.name.includes('_')) {
      return this.candidate(only, clause.replace(only.definition.name, ' '), memory, 1);
    }
    const hits = new Map(
      this.index.search(clause).map(({ id, score }) => [id as string, score] as const),
    );
    const candidates = [...(isForced ? this.tools.values() : this.suitable(clause, hits))]
      .sort((a, b) => (hits.get(b.definition.name) ?? 0) - (hits.get(a.definition.name) ?? 0))
      .slice(0, TRIED)
      .map((tool) => this.candidate(tool, clause, memory, hits.get(tool.definition.name) ?? 0))
      .sort((a, b) => b.score - a.score);
    return candidates[0];
  }

  private suitable(clause: string, hits: ReadonlyMap<string, number>): RankedTool[] {
    const intent = intentOf(clause);
    const spoken = new Set(
      wordsOf(clause)
        .filter((word) => !isStopWord(word))
        .map(normalizeWord),
    );
    const hit = [...hits.keys()].flatMap((name) => this.tools.get(name) ?? []);
    const isNamed = ({ nameWords, definition }: RankedTool) =>
      nameWords.some((word) => spoken.has(word) && !isReadWord(word)) ||
      sharedWords(definition.description, spoken) >= 2 ||
      fuzzyNamed(nameWords, spoken);
    const fitting = hit.filter(isNamed);
    if (intent === 'read' || intent === 'none') {
      // What only asks must never change anything: its verb has to be said as a command.
      return fitting.filter(({ verb }) => verb === undefined);
    }
    const carrying = fitting.filter(({ verb }) => verb === intent.verb);
    if (carrying.length > 0) return carrying;
    // A wish to change something is not served by reading.
    return fitting.filter(
      ({ nameWords, verb }) =>
        verb === undefined && !isReadWord(nameWords[0] ?? '') && nameWords.includes(intent.verb),
    );
  }

  private candidate(
    { definition, nameWords, nouns }: RankedTool,
    clause: string,
    memory: Memory,
    textScore: number,
  ): Candidate {
    const filled = fillArguments(definition.input_schema, clause, nouns, memory);
    const spoken = wordsOf(clause);
    const asksForMany = spoken.some((word) => isPlural(word) && nouns.has(normalizeWord(word)));
    const isListing = nameWords.some((word) => LISTING.has(word));
    const bySaid = nameWords.filter((word) => spoken.some((one) => normalizeWord(one) === word));
    const score =
      (textScore + 0.1) *
      (1 + filled.strength / 8) *
      0.55 ** filled.missing.length *
      0.5 ** Math.min(filled.unused, 3) *
      (asksForMany === isListing ? 1.3 : 1) *
      (1 + bySaid.length / nameWords.length);
    return { tool: definition, input: filled.input, missing: filled.missing, score };
  }
}

function describe(definition: ToolDefinition): RankedTool {
  const raw = wordsOf(definition.name.replaceAll('_', ' '));
  const nameWords = raw.map(normalizeWord);
  const verb = raw.map(writeVerbOf).find((word) => word !== undefined);
  const nouns = new Set(nameWords.filter((word) => !isReadWord(word) && word !== verb));
  return { definition, nameWords, nouns, verb: isReadWord(raw[0] ?? '') ? undefined : verb };
}

function sharedWords(description: string, spoken: ReadonlySet<string>): number {
  const words = new Set(wordsOf(description).map(normalizeWord));
  return [...words].filter((word) => spoken.has(word) && !isStopWord(word) && !isReadWord(word))
    .length;
}

/** "aplications": one letter off still names the tool. */
function fuzzyNamed(nameWords: readonly string[], spoken: ReadonlySet<string>): boolean {
  return nameWords.some(
    (word) => word.length > 5 && [...spoken].some((one) => one.length > 5 && isNear(one, word)),
  );
}

/** Whether one inserted, missing, other or swapped letter parts two words, or two in long ones. */
function isNear(a: string, b: string): boolean {
  const limit = Math.max(a.length, b.length) > 8 ? 2 : 1;
  if (Math.abs(a.length - b.length) > limit) return false;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + cost));
    }
    row = next;
  }
  return (row[b.length] ?? limit + 1) <= limit;
}

const OPERATORS: readonly (readonly [RegExp, string])[] = [
  [/(-?\d+(?:\.\d+)?)\s*(?:\+|plus)\s*(-?\d+(?:\.\d+)?)/gi, 'add $1 and $2'],
  [
    /(-?\d+(?:\.\d+)?)\s*(?:\*|×|x|times|multiplied by)\s*(-?\d+(?:\.\d+)?)/gi,
    'multiply $1 and $2',
  ],
  [/(-?\d+(?:\.\d+)?)\s*(?:\/|÷|divided by|over)\s*(-?\d+(?:\.\d+)?)/gi, 'divide $1 by $2'],
  [/(?<![\d-])(-?\d+(?:\.\d+)?)\s+(?:-|minus)\s+(-?\d+(?:\.\d+)?)/gi, 'subtract $1 and $2'],
  [/\b(?:subtract|take)\s+(-?\d+(?:\.\d+)?)\s+from\s+(-?\d+(?:\.\d+)?)/gi, 'subtract $2 and $1'],
];

/** Signs and turns of phrase in the words that tools are called after. */
function spellOut(request: string): string {
  let text = request.replace(/\broll(?:ing)?\s+(.+?)\s+back\b/gi, 'rollback $1');
  text = text
    .replace(/\broll(?:ing)?\s+back\b/gi, 'rollback')
    .replace(/\bget rid of\b/gi, 'delete');
  for (const [pattern, words] of OPERATORS) text = text.replace(pattern, words);
  return text;
}
