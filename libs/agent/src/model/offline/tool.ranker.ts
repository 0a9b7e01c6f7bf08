import MiniSearch from 'minisearch';
import { editDistance } from '../../internal';
import type { JsonObject } from '../../message';
import type { ToolDefinition } from '../../tool';
import {
  addressedIn,
  isAsking,
  valuesIn,
  intentOf,
  isPlural,
  isReadWord,
  isStopWord,
  normalizeWord,
  spellOut,
  withoutValues,
  wordsOf,
  writeVerbOf,
} from './language';
import { fillArguments, type Memory } from './argument.filler';
import { type Parameter, parametersOf } from './json-schema.reader';
import { isAboutSelf, SELF, withSelf } from './self';

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
  /** The words of its name, description and parameters, in plain form. */
  readonly vocabulary: ReadonlySet<string>;
  readonly options: ReadonlySet<string>;
}

/** The number of best hits for which arguments are tried. */
const TRIED = 12;
const LISTING = new Set(['list', 'search', 'all']);

/** Ranks tools against a request: by name, description and parameters. */
export class ToolRanker {
  private readonly tools: ReadonlyMap<string, RankedTool>;
  private readonly index: MiniSearch;

  constructor(private readonly definitions: readonly ToolDefinition[]) {
    this.tools = new Map(definitions.map((definition) => [definition.name, describe(definition)]));
    this.index = new MiniSearch({
      idField: 'id',
      fields: ['name', 'description', 'parameters'],
      tokenize: (text) => [...wordsOf(text)],
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

  /** All words of the tools' names; `^list` for a word that begins a name. */
  get words(): ReadonlySet<string> {
    const words = new Set<string>();
    for (const { nameWords } of this.tools.values()) {
      nameWords.forEach((word) => words.add(word));
      if (nameWords[0] !== undefined) words.add(`^${nameWords[0]}`);
    }
    return words;
  }

  /** The tool that a request means, or `undefined` if none fits well enough. */
  best(request: string, memory: Memory, isForced = false): Candidate | undefined {
    const addressed = addressedIn(request, this.definitions);
    if (addressed !== undefined) {
      const { tool, message } = addressed;
      return { tool, input: { message }, missing: [], score: 1 };
    }
    const clause = this.correct(withSelf(spellOut(request)));
    const named = this.namedIn(request, clause);
    if (named !== undefined) {
      return this.candidate(named, clause.replace(named.definition.name, ' '), memory, 1);
    }
    const described = this.describedIn(request);
    if (described !== undefined) return this.candidate(described, '', memory, 1);
    // Names and numbers do not identify a kind of thing.
    const values = valuesIn(clause, { known: memory.known });
    const subject = withoutValues(
      clause,
      values.filter(({ kind }) => kind !== 'word'),
    );
    const hits = new Map(
      this.index
        .search(contentOf(subject).join(' '))
        .map(({ id, score }) => [id as string, score] as const),
    );
    const [best] = [...(isForced ? this.tools.values() : this.suitable(clause, subject, hits))]
      .sort((a, b) => (hits.get(b.definition.name) ?? 0) - (hits.get(a.definition.name) ?? 0))
      .slice(0, TRIED)
      .map((tool) => this.candidate(tool, clause, memory, hits.get(tool.definition.name) ?? 0))
      .sort((a, b) => b.score - a.score);
    return best ?? this.aboutNothingBut(subject, clause, memory);
  }

  /** The one tool whose exact name the request contains. */
  private namedIn(request: string, clause: string): RankedTool | undefined {
    const words = new Set(request.match(/[a-zA-Z0-9_]+/g) ?? []);
    const [first, ...others] = [...words].flatMap((word) =>
      word.includes('_') ? (this.tools.get(word) ?? []) : [],
    );
    if (first === undefined || others.length > 0) return undefined;
    return first.verb !== undefined && intentOf(clause) === 'read' ? undefined : first;
  }

  /** The one tool whose description the request repeats, as "Get user list". */
  private describedIn(request: string): RankedTool | undefined {
    const said = plainWords(request).join(' ');
    const [first, ...others] = [...this.tools.values()].filter(
      ({ definition }) => said !== '' && plainWords(definition.description).join(' ') === said,
    );
    if (first === undefined || others.length > 0) return undefined;
    return first.verb === undefined ? first : undefined;
  }

  /**
   * "show me demo-app" names no kind of thing, so it means the tool that shows a thing by its name.
   */
  private aboutNothingBut(subject: string, clause: string, memory: Memory): Candidate | undefined {
    const isNamedOnly = wordsOf(subject).every((word) => isStopWord(word) || isReadWord(word));
    const intent = intentOf(clause);
    if (!isNamedOnly || (intent !== 'read' && intent !== 'none')) return undefined;
    return [...this.tools.values()]
      .filter(
        ({ verb, definition }) =>
          verb === undefined && /^(?:get|show|find|describe)/i.test(definition.name),
      )
      .map((tool) => this.candidate(tool, clause, memory, 0))
      .filter(({ missing, input }) => missing.length === 0 && Object.keys(input).length > 0)
      .sort((a, b) => b.score - a.score)[0];
  }

  /** Corrects words that differ by a letter or two from a word of a tool's name. */
  private correct(clause: string): string {
    const names = [...this.words].filter((word) => word.length > 5 && !word.startsWith('^'));
    const known = new Set([...this.tools.values()].flatMap(({ vocabulary }) => [...vocabulary]));
    return clause.replace(/(?<![\w/.-])\p{L}{6,}(?![\w/.-])/gu, (word) => {
      const plain = normalizeWord(word);
      if (known.has(plain) || isStopWord(word) || isReadWord(word)) return word;
      const meant = names.find((name) => isNear(plain, name));
      return meant === undefined ? word : `${meant}${isPlural(word) ? 's' : ''}`;
    });
  }

  private suitable(
    clause: string,
    subject: string,
    hits: ReadonlyMap<string, number>,
  ): RankedTool[] {
    const intent = intentOf(clause);
    const content = contentOf(subject).map(normalizeWord);
    const values = new Set(
      valuesIn(clause).flatMap(({ text }) => wordsOf(text).map(normalizeWord)),
    );
    const plain = content.filter((word) => !values.has(word));
    // An agent that is not addressed is not asked: a suitable tool serves the request.
    const hit = [...hits.keys()]
      .flatMap((name) => this.tools.get(name) ?? [])
      .filter(({ definition }) => !isAsking(definition));
    const isNamed = ({ nameWords, options, vocabulary }: RankedTool) =>
      content.some((word) => nameWords.includes(word) || options.has(word)) ||
      content.filter((word) => vocabulary.has(word)).length >= 2 ||
      (plain.length > 0 && plain.every((word) => vocabulary.has(word)));
    const fitting = hit.filter(isNamed);
    if (intent === 'read' || intent === 'none') {
      // A question must never change anything: a change needs its verb as a command.
      return fitting.filter(({ verb }) => verb === undefined);
    }
    const carrying = fitting.filter(({ verb }) => verb === intent.verb);
    if (carrying.length > 0) return carrying;
    // A request to change something is not served by reading.
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
  const raw = wordsOf(definition.name);
  const isSelf = isAboutSelf(definition, raw.join(' '));
  const nameWords = [...raw.map(normalizeWord), ...(isSelf ? [SELF] : [])];
  const verb = raw.map(writeVerbOf).find((word) => word !== undefined);
  const nouns = new Set(nameWords.filter((word) => !isReadWord(word) && word !== verb));
  const parameters = parametersOf(definition.input_schema);
  const options = new Set(
    parameters.flatMap(({ schema }) => (schema.enum ?? []).flatMap(plainWords)),
  );
  const vocabulary = new Set([
    ...nameWords,
    ...options,
    ...plainWords(definition.description),
    ...parameters.flatMap(({ name }) => plainWords(name)),
  ]);
  const isReading = isReadWord(raw[0] ?? '');
  return { definition, nameWords, nouns, verb: isReading ? undefined : verb, vocabulary, options };
}

function plainWords(text: unknown): readonly string[] {
  if (typeof text !== 'string') return [];
  const words = wordsOf(text);
  return words.filter((word) => !isStopWord(word)).map(normalizeWord);
}

const QUESTION =
  /^(?:what|which|who|how|when|where|is|are|do|does|did|has|have|show|get|give|tell|status)$/i;

/** The words for a request's subject; if it has none, those for its action. */
function contentOf(clause: string): readonly string[] {
  const words = wordsOf(clause).filter((word) => !isStopWord(word));
  const content = words.filter((word) => !isReadWord(word));
  return content.length > 0 ? content : words.filter((word) => !QUESTION.test(word));
}

/** Whether two words differ in one letter, or in two if they are long. */
function isNear(a: string, b: string): boolean {
  const limit = Math.max(a.length, b.length) > 8 ? 2 : 1;
  return Math.abs(a.length - b.length) <= limit && editDistance(a, b) <= limit;
}
