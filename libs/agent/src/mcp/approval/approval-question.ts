import { isJsonObject, type JsonObject, type JsonValue } from '../../message';
import { printable } from '../../internal';

/** Maximum number of arguments in a long question, so that each keeps a readable part. */
const MAX_ARGUMENTS = 20;

/** Characters of an argument's name in a long question. */
const MAX_NAME = 30;

/** Characters that shortening adds to a text at most. */
const MAX_NOTE = 35;

/** Characters of a question's message. */
const MAX_CHARS = 2_000;
/** Characters of a title, which a foreign server may have given. */
const MAX_TITLE = 200;

/** The parameters of `elicitation/create` for one call. */
export function approvalQuestion(title: string, tool: string, shown: JsonObject): JsonObject {
  const asked = `Allow "${beginOf(title, MAX_TITLE)}" (${tool}) with these arguments?\n`;
  return {
    message: asked + shownArguments(shown, MAX_CHARS - asked.length),
    requestedSchema: {
      type: 'object',
      properties: {
        approve: { type: 'boolean', title: 'Approve this call', default: true },
      },
      required: ['approve'],
    },
  };
}

/** The user's answer; `cancel` if the question was dismissed, also by hosts that show none. */
export type ApprovalAnswer = 'approve' | 'decline' | 'cancel';

/** The answer in a client's value; `undefined` if it is not a valid one. */
export function approvalAnswer(answer: JsonValue | undefined): ApprovalAnswer | undefined {
  if (!isJsonObject(answer)) return undefined;
  switch (answer['action']) {
    case 'accept':
      return acceptedAnswer(answer['content'] ?? {});
    case 'decline':
    case 'cancel':
      return answer['action'];
    default:
      return undefined;
  }
}

/** A form that was sent counts as it was filled in: a text such as "false" is no agreement. */
function acceptedAnswer(content: JsonValue): ApprovalAnswer | undefined {
  if (!isJsonObject(content)) return undefined;
  const { approve = true } = content;
  if (typeof approve !== 'boolean') return undefined;
  return approve ? 'approve' : 'decline';
}

/**
 * The arguments of a call in at most `maxChars` characters, for the person who decides. Long arguments are
 * shortened one by one, so that none hides the others.
 */
function shownArguments(args: JsonObject, maxChars: number): string {
  const whole = printable(JSON.stringify(args, null, 2), '\n');
  if (whole.length <= maxChars) return whole;
  const entries = Object.entries(args);
  const shown = entries.slice(0, MAX_ARGUMENTS);
  const hidden = entries.length - shown.length;
  const first = 'The arguments are too long to be shown whole:';
  const last = hidden > 0 ? [`… and ${hidden} more arguments that are not shown`] : [];
  const names = shown.map(([name]) => beginOf(name, MAX_NAME));
  const taken = [first, ...names.map((name) => `${name}: `), ...last].join('\n').length;
  const share = Math.floor((maxChars - taken) / shown.length) - MAX_NOTE;
  const lines = shown.map(
    ([, value], index) => `${names[index]}: ${bothEndsOf(JSON.stringify(value), share)}`,
  );
  return [first, ...lines, ...last].join('\n');
}

/** The begin of a text, if it has more than `maxChars` characters. */
function beginOf(text: string, maxChars: number): string {
  const shown = printable(text);
  return shown.length <= maxChars ? shown : `${shown.slice(0, maxChars - 1)}…`;
}

/** Begin and end of a text, and the number of characters between them. */
function bothEndsOf(text: string, maxChars: number): string {
  const shown = printable(text);
  if (shown.length <= maxChars) return shown;
  const half = Math.floor(maxChars / 2);
  const hidden = shown.length - 2 * half;
  return `${shown.slice(0, half)} …(${hidden} characters not shown)… ${shown.slice(-half)}`;
}
