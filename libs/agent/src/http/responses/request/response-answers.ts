import type { ChatAction } from '../../../run';
import { stringIn, wrong } from '../../openai';
import { textOf } from './response-content';
import { askedCallOf } from '../response-ids';
import type { InputItem } from './response-items';

/**
 * The answers to a run's pending actions. They name calls; only the session knows whether these are
 * pending.
 *
 * @throws OpenAiRequestError naming the field
 */
export function answersOf(items: readonly InputItem[]): readonly ChatAction[] {
  return items.flatMap((item): readonly ChatAction[] => {
    if (item.type === 'mcp_approval_response') return [decisionOf(item)];
    return item.type === 'function_call_output' ? [outputOf(item)] : [];
  });
}

function decisionOf({ fields, at }: InputItem): ChatAction {
  const callId = askedCallOf(stringIn(fields, 'approval_request_id', at));
  const { approve, reason } = fields;
  if (typeof approve !== 'boolean') throw wrong(`${at}.approve`, 'a boolean');
  if (approve) return { callId, type: 'approve' };
  return { callId, type: 'reject', ...(typeof reason === 'string' && { reason }) };
}

/** OpenAI's protocol has no other mark of a failure than the status. */
function outputOf({ fields, at }: InputItem): ChatAction {
  const callId = stringIn(fields, 'call_id', at);
  const text = textOf(fields['output'], `${at}.output`);
  if (fields['status'] === 'incomplete') return { callId, type: 'result', error: text };
  return { callId, type: 'result', result: text };
}
