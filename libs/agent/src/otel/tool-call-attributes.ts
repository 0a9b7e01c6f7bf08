import type { Attributes } from '@opentelemetry/api';
import { defined } from '../internal';
import type { ObservedToolCall, ObservedToolCallEnd } from '../telemetry';
import { GEN_AI, OWN } from './names';

/** What is known of a tool call when it begins. */
export function toolCallAttributes({
  tool,
  kind,
  callId,
  description,
  approval,
}: ObservedToolCall): Attributes {
  return defined({
    [GEN_AI.operation]: 'execute_tool',
    [GEN_AI.tool]: tool,
    [GEN_AI.toolType]: kind === 'frontend' ? 'extension' : 'function',
    [GEN_AI.callId]: callId,
    [GEN_AI.toolDescription]: description,
    [OWN.toolKind]: kind,
    [OWN.toolApproval]: approval,
  });
}

/** What is known of it at its end. */
export function toolCallEndAttributes({ status, attempts }: ObservedToolCallEnd): Attributes {
  return {
    [OWN.status]: status,
    [OWN.toolAttempts]: attempts,
    [OWN.toolIsCached]: status === 'executed' && attempts === 0,
  };
}
