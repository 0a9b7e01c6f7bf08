// The loads that a round drives through each contestant.
//
// If the model rests between its deltas, as a real one does, each delta arrives by itself,
// however fast its reader is. Without rests, a slow reader gets several at once, which
// costs it less for each.
//
// `words` is the length of the answer; without it the whole text is sent.
export const LOADS = {
  resting: { paceMs: 5, concurrency: 16 },
  one: { paceMs: 0, concurrency: 1 },
  many: { paceMs: 0, concurrency: 16 },
  words10: { paceMs: 0, concurrency: 16, words: 10 },
  words40: { paceMs: 0, concurrency: 16, words: 40 },
  words400: { paceMs: 0, concurrency: 16, words: 400 },
};

export const FULL = {
  starts: 7,
  // A server is warm for nearly all of its life; V8 takes more than a thousand turns to be done.
  warmTurns: 1_600,
  // Short ones and many: how fast the machine is changes from minute to minute.
  rounds: 15,
  turns: { resting: 48, one: 40, many: 120, words10: 120, words40: 120, words400: 48 },
};

export const QUICK = {
  starts: 2,
  warmTurns: 200,
  rounds: 3,
  turns: { resting: 48, one: 20, many: 96, words10: 96, words40: 96, words400: 32 },
};
