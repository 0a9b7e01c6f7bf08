/** The meaning of a request's first word. */
type Intent = 'read' | { readonly verb: string } | 'none';

const ASKING_WORDS =
  'list show get what which how tell is are display who when where give see view describe do does did has have read fetch look find search check count';
const READ_WORDS = `${ASKING_WORDS} lookup print inspect any status details detail info information`;

/** Verbs that change something, each with the words that people use for it. */
const WRITE_VERBS: Readonly<Record<string, string>> = {
  delete: 'remove destroy drop erase kill purge uninstall',
  deploy: 'release ship publish push rollout',
  rollback: 'revert undo',
  create: 'make new register provision',
  update: 'change set edit modify rename patch adjust',
  restart: 'reboot bounce',
  start: 'launch',
  stop: 'halt pause terminate cancel abort',
  scale: 'resize',
  send: 'mail email notify',
  book: 'reserve schedule',
  approve: 'accept confirm',
  reject: 'decline refuse',
  assign: 'give',
  enable: 'activate',
  disable: 'deactivate',
  reset: 'clear',
  move: 'transfer',
  pay: 'charge',
  write: 'save store',
};

/** Synonyms of words in tool names. */
const SYNONYMS: Readonly<Record<string, string>> = {
  add: 'sum plus addition',
  subtract: 'minus subtraction',
  multiply: 'multiplied multiplication',
  divide: 'divided division',
  fail: 'failed failing failure failures broken unsuccessful',
  succeed: 'succeeded succeeding success successful passed',
  health: 'healthy',
  application: 'app apps service services project projects',
  workflow: 'pipeline pipelines build builds job jobs',
  resource: 'infrastructure',
  stats: 'statistics statistic metrics stat',
  environment: 'env',
  weather: 'forecast temperature',
};

const STOP_WORDS = new Set(
  'a an the of for to in on at by with from as me my mine i we us our you your please can could would will shall should want like need let lets and or but so if this that these those there here be been am was were it its all any some now just also about have has had do does did not no hi hello hey ok okay thanks thank'.split(
    ' ',
  ),
);

const canonical = new Map<string, string>();
for (const table of [WRITE_VERBS, SYNONYMS]) {
  for (const [word, others] of Object.entries(table)) {
    canonical.set(word, word);
    for (const other of others.split(' ')) canonical.set(other, word);
  }
}
const askingWords = new Set(ASKING_WORDS.split(' '));
const readWords = new Set(READ_WORDS.split(' '));

/** The plain form of a word: lower case, singular, without the endings of verbs, one of synonyms. */
export function normalizeWord(word: string): string {
  const lower = word.toLowerCase();
  const known = canonical.get(lower);
  if (known !== undefined) return known;
  const singular = singularOf(lower);
  const stem = canonical.get(singular) ?? singular;
  if (stem !== singular || singular.length < 6) return stem;
  const bare = singular.replace(/(?:ing|ed)$/, '');
  if (bare === singular || bare.length < 3) return stem;
  return canonical.get(bare) ?? canonical.get(`${bare}e`) ?? stem;
}

function singularOf(word: string): string {
  if (word.length < 4 || /(?:ss|us|is|stats)$/.test(word)) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(?:ches|shes|xes|sses)$/.test(word) && !/(?:cach|nich|ax)es$/.test(word))
    return word.slice(0, -2);
  return word.endsWith('s') ? word.slice(0, -1) : word;
}

export function isPlural(word: string): boolean {
  const lower = word.toLowerCase();
  return singularOf(lower) !== lower;
}

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word.toLowerCase());
}

export function isReadWord(word: string): boolean {
  return readWords.has(word.toLowerCase());
}

/** The verb that changes something, if the word is one in its plain form; not `deployed`. */
export function writeVerbOf(word: string): string | undefined {
  const verb = canonical.get(word.toLowerCase());
  return verb !== undefined && Object.hasOwn(WRITE_VERBS, verb) ? verb : undefined;
}

/** `list_userGroups` → `list`, `user`, `Groups`. */
export function wordsOf(text: string): readonly string[] {
  return (
    text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').match(/\p{L}[\p{L}\p{N}']*|\p{N}+/gu) ?? []
  ).map((word) => word.replace(/'s?$/, ''));
}

/** A word that only asks, without a subject; it may begin a request. */
export function isAskingWord(word: string): boolean {
  return askingWords.has(word.toLowerCase());
}

const POLITE =
  /^(?:(?:please|now|ok|okay|hey|hi|hello|and|then|also|just|can|could|would|will|you|i|we|want|need|like|would like|'d|d|to|let|lets|let's|us|me|go|ahead|first|finally|next)\b[,!.]?\s*)+/i;

/** A request without polite words at its start. */
export function withoutCourtesy(clause: string): string {
  return clause.trim().replace(POLITE, '') || clause;
}

/** The aim of a request, after `spellOut`: to read, to act, or unknown. */
export function intentOf(clause: string): Intent {
  const words = wordsOf(withoutCourtesy(clause));
  const [first] = words;
  if (first === undefined) return 'none';
  if (isReadWord(first)) return 'read';
  const head = writeVerbOf(first);
  if (head !== undefined) return { verb: head };
  const [later] = words.flatMap((word) => writeVerbOf(word) ?? []);
  if (later !== undefined && /\b(?:please|must|should|now|go and|to)\b/i.test(clause)) {
    return { verb: later };
  }
  return 'none';
}
