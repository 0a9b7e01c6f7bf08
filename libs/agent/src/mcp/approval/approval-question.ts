import { isJsonObject, type JsonObject, type JsonValue } from '../../message';
import { beginOf, shownArguments } from './shown-arguments';

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
