import type MiniSearch from 'minisearch';
import type { JsonSchema, Tool } from '../tool';

/** The comparison with a misspelt word takes memory that is quadratic to its length. */
const MAX_QUERY_CHARS = 1_000;

interface SearchDocument {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly parameters: string;
  readonly place: string;
}

/** An index over tools: their names, descriptions, parameters, groups and toolkits. */
export class ToolSearch {
  private readonly index: MiniSearch<SearchDocument>;

  constructor(tools: readonly Tool[]) {
    // Only some applications search.
    const Index = require('minisearch') as typeof MiniSearch;
    this.index = new Index<SearchDocument>({
      fields: ['name', 'description', 'parameters', 'place'],
      tokenize: words,
      processTerm: wordStem,
      searchOptions: {
        boost: { name: 3, description: 2 },
        prefix: (term) => term.length > 2,
        fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      },
    });
    this.index.addAll(tools.map(documentOf));
  }

  /** The names of the tools that fit, the best first. */
  search(query: string): readonly string[] {
    return this.index.search(query.slice(0, MAX_QUERY_CHARS)).map((hit) => String(hit.id));
  }
}

function documentOf({ definition, group, toolkit }: Tool): SearchDocument {
  return {
    id: definition.name,
    name: definition.name,
    description: definition.description,
    parameters: parameterText(definition.input_schema),
    place: [group, toolkit?.name, toolkit?.description]
      .filter((text) => text !== undefined)
      .join(' '),
  };
}

function parameterText(schema: JsonSchema): string {
  return Object.entries(schema.properties ?? {})
    .map(([name, property]) => `${name} ${property.description ?? ''}`)
    .join(' ');
}

/** Splits `findAll`, `find_all` and "find all" into the same words. */
function words(text: string): string[] {
  return text
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** Lower case and without the plural's `s`, so that "orders" matches "order". */
function wordStem(word: string): string {
  const lower = word.toLowerCase();
  if (lower.length > 4 && lower.endsWith('ies')) return `${lower.slice(0, -3)}y`;
  return lower.length > 3 && lower.endsWith('s') && !lower.endsWith('ss')
    ? lower.slice(0, -1)
    : lower;
}
