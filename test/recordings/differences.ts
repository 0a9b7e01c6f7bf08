import type { Field } from './comparison';

/** Known differences between the library's and the SDK's reading of an answer, with reasons. */
export interface KnownDifference {
  readonly ids: readonly string[];
  readonly fields: readonly Field[];
  readonly reason: string;
}

/** An entry whose recording no longer differs fails the suite. */
export const DIFFERENCES: readonly KnownDifference[] = [
  {
    ids: [
      '03896c9f7e97c9',
      '0b1a3505695ef7',
      '2b582fff8bd956',
      '2d73ec43a16fa9',
      '399d09fbdc17e3',
      '41e2714f3a91d6',
      '43acc2b1145c0d',
      '463a022f72a9ff',
      '5a1562182d075d',
      '64c3b536676845',
      '711d004229a041',
      '890fbc75bcf642',
      '9336c1cea2b1a8',
      '9de6f810f085c4',
      'b52748b5bb318e',
      'c3e1c5f8ab8fbf',
      'ce563508511b7b',
      'd200b5daf3a307',
      'db43412bb032e0',
      'e23da48b99ae04',
    ],
    fields: ['usage'],
    reason:
      'The service counts a prompt of its own as cached, which it neither counts as sent nor bills: what was cached is never more than what was sent.',
  },
  {
    ids: ['29fa1b92076d5e', '51d54c5ead471e'],
    fields: ['usage'],
    reason: "The service counts the prompt's sound in the total alone; it was sent.",
  },
  {
    ids: ['157cba4798fc00', '5ecf28c070ada7', '46cf20195a2878'],
    fields: ['finish'],
    reason: 'The service says `stop` and calls a tool: an answer with calls ends for them.',
  },
  {
    ids: ['31089fa8c5714a'],
    fields: ['finish'],
    reason: "Azure's content filter answers with an error; it is a refusal.",
  },
  {
    ids: ['2ba6e062470e10'],
    fields: ['calls', 'finish'],
    reason:
      'Groq broke the answer off for a call that does not fit: the call is passed on, so that the model hears what is wrong with it.',
  },
  {
    ids: ['7b87d6fab18b64'],
    fields: ['text', 'finish', 'usage'],
    reason: 'Several answers stand in one file, each with its end. One request has one: the first.',
  },
  {
    ids: ['1a866871c17b93'],
    fields: ['calls', 'text', 'finish', 'usage'],
    reason: 'So it is here, and the first has a call.',
  },
];

/** The fields in which a recording is known to differ. */
export function knownFields(id: string): readonly Field[] {
  return DIFFERENCES.filter(({ ids }) => ids.includes(id))
    .flatMap((entry) => entry.fields)
    .sort();
}

/** The recordings that a list names. */
export function listedIds(list: readonly { readonly ids: readonly string[] }[]): string[] {
  return list.flatMap(({ ids }) => ids);
}

/** Conversations that the library writes differently, with reasons. */
export const REQUESTS: readonly { readonly ids: readonly string[]; readonly reason: string }[] = [
  {
    ids: ['4da686d20da245', '66d1d6652fd20b', 'b3f319d21c39d6', 'ec1e01d3b4383e'],
    reason: 'It names a file that was uploaded before; a message here holds data or an address.',
  },
  {
    ids: ['1dc2a7b90f5243', 'ac85529aa584e0', 'd33aa784549b70', 'fc43866bd0997f'],
    reason: "Mistral's `document_url` is a part of its own; files are named to its models instead.",
  },
  {
    ids: ['a9cd03e1d8f28a'],
    reason:
      'A tool message holds a picture, which few services take: pictures of results follow in a message of the user.',
  },
];

export const refusedRequests: ReadonlySet<string> = new Set(listedIds(REQUESTS));
