import type { JsonValue } from '../../message';

/**
 * The expected value of an argument: a JSON value stands for itself. An object with one key stands for
 * a condition: `{ "$matches": "^demo-" }` (a text that matches this regular expression), `{ "$oneOf":
 * [1, 2] }`, or `{ "$any": true }` (any value, or none).
 *
 * @experimental
 */
export type ExpectedValue = JsonValue;

/**
 * A text that the answer must contain, or a regular expression that must match a part of it.
 *
 * @experimental
 */
export type ExpectedText =
  | string
  | {
      /** The regular expression. */
      readonly $matches: string;
    };

/**
 * A call that the agent must make.
 *
 * @experimental
 * @example
 * import type { ExpectedCall } from 'nestjs-agent/evals';
 *
 * const call: ExpectedCall = { name: 'get_order', input: { id: 17 } };
 */
export interface ExpectedCall {
  /** The tool's name. */
  readonly name: string;
  /** All arguments of the call: no others may be there. */
  readonly input?: Readonly<Record<string, ExpectedValue>>;
  /** Some arguments of the call, also within objects; the others are free. */
  readonly inputIncludes?: Readonly<Record<string, ExpectedValue>>;
  /** Whether the call must wait for an answer, such as the caller's approval; either, by default. */
  readonly asks?: boolean;
  /** Whether the call must end in an error, such as a guard's refusal; either, by default. */
  readonly fails?: boolean;
}

/**
 * The handling of calls that ask for approval: `stop` does not run them and ends the turn, `approve`
 * runs those that `calls` expects, and `reject` declines them.
 *
 * @experimental
 */
export type Approvals = 'stop' | 'approve' | 'reject';

/**
 * A user's message, and the expected calls and answer.
 *
 * @experimental
 * @example
 * import type { EvalTurn } from 'nestjs-agent/evals';
 *
 * const turn: EvalTurn = {
 *   message: 'Where is order 17?',
 *   calls: [{ name: 'get_order', input: { id: 17 } }],
 *   never: ['cancel_*'],
 * };
 */
export interface EvalTurn {
  /** The user's message. */
  readonly message: string;
  /** The calls that the agent must make, in this order and no others; `[]` stands for none. */
  readonly calls?: readonly ExpectedCall[];
  /** Whether `calls` may come in any order; `false` by default. */
  readonly inAnyOrder?: boolean;
  /** Whether the agent may make other calls as well; `false` by default. */
  readonly othersAllowed?: boolean;
  /** Tools that must not be called; `*` stands for any characters. */
  readonly never?: readonly string[];
  /** A text that the answer must contain, or several, all of which it must contain. */
  readonly answer?: ExpectedText | readonly ExpectedText[];
  /** `stop` by default: an evaluation writes nothing that has to be approved. */
  readonly approvals?: Approvals;
  /** The most calls that the agent may make. */
  readonly maxCalls?: number;
  /** The most tokens of all model calls of the turn. */
  readonly maxTokens?: number;
}

/**
 * One conversation: a single turn, or several in one session.
 *
 * @experimental
 * @example
 * import type { EvalCase } from 'nestjs-agent/evals';
 *
 * const single: EvalCase = { message: 'Hello', calls: [] };
 * const several: EvalCase = {
 *   name: 'remembers the order',
 *   as: 'ada',
 *   turns: [{ message: 'Where is order 17?' }, { message: 'Who ordered it?', answer: 'Ada' }],
 * };
 */
export interface EvalCase extends Partial<EvalTurn> {
  /** The case's name in reports; the caller and the first message by default. */
  readonly name?: string;
  /** The caller, by a name that the application defines; that of the file by default. */
  readonly as?: string;
  /** Several turns, in place of `message` and its expectations. */
  readonly turns?: readonly EvalTurn[];
}

/**
 * The contents of a file of evaluations.
 *
 * @experimental
 * @example
 * import type { EvalFile } from 'nestjs-agent/evals';
 *
 * const evals: EvalFile = {
 *   as: 'ada',
 *   cases: [{ message: 'What can you do?', calls: [], answer: 'orders' }],
 * };
 */
export interface EvalFile {
  /** The address of the JSON Schema, for editors. */
  readonly $schema?: string;
  /** Where the agent's endpoints are, for the command; `agent` by default. */
  readonly path?: string;
  /** A name in the module's `models`; its `model` by default. */
  readonly model?: string;
  /** The caller of cases without one; anonymous by default. */
  readonly as?: string;
  /** The conversations, at least one. */
  readonly cases: readonly EvalCase[];
}

/**
 * A case with its name, its caller and its turns.
 *
 * @experimental
 */
export interface NamedCase {
  /** Its name in reports. */
  readonly name: string;
  /** Its caller; missing for an anonymous one. */
  readonly as?: string;
  /** Its turns, at least one. */
  readonly turns: readonly EvalTurn[];
}

/**
 * The cases of a file, with the file's defaults filled in.
 *
 * @experimental
 * @param file the contents of a file
 * @param filter only cases with this text in their names, in any letter case
 * @example
 * import { casesOf, type EvalFile } from 'nestjs-agent/evals';
 *
 * const namesIn = (file: EvalFile) => casesOf(file).map(({ name }) => name);
 */
export function casesOf(file: EvalFile, filter = ''): readonly NamedCase[] {
  const all = file.cases.map(({ name, as = file.as, turns: several, ...turn }) => {
    const turns = several ?? [turn as EvalTurn];
    const said = turns[0]?.message ?? '';
    const shown = name ?? (as === undefined ? said : `${as}: ${said}`);
    return { name: shown, ...(as !== undefined && { as }), turns };
  });
  return all.filter(({ name }) => name.toLowerCase().includes(filter.toLowerCase()));
}
