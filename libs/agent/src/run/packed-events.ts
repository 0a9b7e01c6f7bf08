import type { AgentEventBody } from '../message';

type Delta = Extract<AgentEventBody, { readonly delta: string }>;

/** The pieces in which a text was said, as one text. */
interface Pieces {
  /** What all have in common, with the first one's own. */
  readonly first: Delta;
  readonly text: string;
  /** How long each is. */
  readonly lengths: Uint32Array;
}

/**
 * The events of a run that is over, in little memory: nearly all of them are pieces of a text, each
 * an object and a string. They are cut again when somebody reads.
 */
export class PackedEvents {
  readonly length: number;
  private readonly parts: (AgentEventBody | Pieces)[] = [];

  constructor(bodies: readonly AgentEventBody[]) {
    this.length = bodies.length;
    for (let start = 0; start < bodies.length;) {
      const pieces = piecesFrom(bodies, start);
      const [first] = pieces;
      const part = first === undefined ? bodies[start] : joined(first, pieces);
      if (part) this.parts.push(part);
      start += Math.max(1, pieces.length);
    }
  }

  /** The events from a place on: the last reader wants few of them, and most runs have one. */
  slice(start: number): AgentEventBody[] {
    let before = 0;
    return this.parts.flatMap((part) => {
      const skipped = Math.max(0, start - before);
      const length = 'lengths' in part ? part.lengths.length : 1;
      before += length;
      if (skipped >= length) return [];
      return 'lengths' in part ? cut(part).slice(skipped) : [part];
    });
  }
}

/** The events from there on that say one text; none where that one says no text. */
function piecesFrom(bodies: readonly AgentEventBody[], start: number): Delta[] {
  const pieces: Delta[] = [];
  for (let at = start; at < bodies.length; at += 1) {
    const body = bodies[at];
    if (body === undefined || !('delta' in body) || !isOfText(body, pieces[0])) break;
    pieces.push(body);
  }
  return pieces;
}

function isOfText(piece: Delta, first = piece): boolean {
  return piece.type === first.type && callOf(piece) === callOf(first);
}

function callOf(piece: Delta): string | undefined {
  return 'callId' in piece ? piece.callId : undefined;
}

function joined(first: Delta, pieces: readonly Delta[]): Pieces {
  return {
    first,
    text: pieces.map(({ delta }) => delta).join(''),
    lengths: Uint32Array.from(pieces, ({ delta }) => delta.length),
  };
}

function cut({ first, text, lengths }: Pieces): Delta[] {
  let end = 0;
  return Array.from(lengths, (length) => {
    end += length;
    return { ...first, delta: text.slice(end - length, end) };
  });
}
