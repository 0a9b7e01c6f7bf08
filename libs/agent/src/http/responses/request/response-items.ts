import { isJsonObject, type JsonObject } from '../../../message';
import { listIn, OpenAiRequestError, type RawBody, wrong } from '../../openai';

/** An item of a request's input; its other fields are checked where they are read. */
export interface InputItem {
  readonly type: ItemType;
  /** Of a message. */
  readonly role?: Role;
  readonly fields: JsonObject;
  /** Its place, for errors. */
  readonly at: string;
}

type Role = 'user' | 'assistant' | 'system' | 'developer';

const TYPES = [
  'message',
  'reasoning',
  'function_call',
  'function_call_output',
  'mcp_list_tools',
  'mcp_call',
  'mcp_approval_request',
  'mcp_approval_response',
] as const;
type ItemType = (typeof TYPES)[number];

const ROLES: readonly Role[] = ['user', 'assistant', 'system', 'developer'];

/** Some clients refer to the items of a stored answer by their ids alone. */
const WHOLE =
  " Send the items of earlier answers whole, as clients do with 'store: false', or continue with 'previous_response_id'.";

/** @throws OpenAiRequestError naming an unknown item */
export function itemsOf({ input }: RawBody, most: number): readonly InputItem[] {
  if (typeof input === 'string') {
    const fields = { role: 'user', content: input };
    return [{ type: 'message', role: 'user', fields, at: 'input' }];
  }
  const expected = 'a string or an array with at least one item';
  return listIn(input, most, { field: 'input', noun: 'item', expected }).map((item, index) =>
    itemOf(item, `input[${index}]`),
  );
}

/** Whether the item belongs to a question: all others come from an earlier answer. */
export function isAsked({ role }: InputItem): boolean {
  return role !== undefined && role !== 'assistant';
}

function itemOf(fields: unknown, at: string): InputItem {
  if (!isJsonObject(fields)) throw wrong(at, 'an object');
  const { type: given = 'message' } = fields;
  const type = TYPES.find((each) => each === given);
  if (type === undefined) {
    throw new OpenAiRequestError(
      `Unsupported item: '${at}.type' is ${JSON.stringify(given).slice(0, 100)}; supported are ${TYPES.join(', ')}.${given === 'item_reference' ? WHOLE : ''}`,
      `${at}.type`,
      'unsupported_value',
    );
  }
  if (type !== 'message') return { type, fields, at };
  const role = ROLES.find((each) => each === fields['role']);
  if (role === undefined) throw wrong(`${at}.role`, ROLES.map((each) => `'${each}'`).join(', '));
  return { type, role, fields, at };
}
