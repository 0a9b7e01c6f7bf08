// The texts of a turn, for the model that sends them and the client that checks them.
import { parcelOf } from './shop.cjs';

/** The answer's first word and its last: nothing else in a turn has them. */
export const FIRST_WORD = 'Splendid';
export const LAST_WORD = 'Farewell';

const BEFORE =
  'news: the order that you ask about has left our warehouse, in one parcel with all that you ' +
  'ordered, and the carrier says that it will be with you on one of the next two days. Its number, ' +
  'read backwards as we always do, is';
const AFTER =
  '. With that number you can follow it on the page of the carrier. Should nobody be at home, a ' +
  'neighbour may take it in for you, or it waits at the nearest shop for seven days. Is there ' +
  'anything else that I can do for you today?';

const BEFORE_PROOF = wordsOf(BEFORE).length;
const WORDS = [...wordsOf(BEFORE), ...wordsOf(AFTER)];

export function questionFor(id) {
  return `Where is my order ${id}, and when will it be here?`;
}

/** The order's number in a question. */
export function orderIn(question) {
  return Number(/order (\d+)/.exec(question)?.[1]);
}

/** What the answer can say only where the model was given the tool's result. */
export function proofOf(id) {
  return [...parcelOf(id)].reverse().join('');
}

/**
 * The answer, in the pieces that the model streams.
 *
 * @param words how many pieces, at least three; those of the whole text by default
 */
export function answerTo(proof, words = WORDS.length + 3) {
  const said = Array.from({ length: words - 3 }, (_, at) => WORDS[at % WORDS.length]);
  const before = Math.min(BEFORE_PROOF, said.length);
  return [
    FIRST_WORD,
    ...said.slice(0, before),
    ` ${proof}`,
    ...said.slice(before),
    ` ${LAST_WORD}`,
  ];
}

function wordsOf(text) {
  return text
    .split(/(?= )/)
    .map((word, at) => (at === 0 && !/^[ .]/.test(word) ? ` ${word}` : word));
}
