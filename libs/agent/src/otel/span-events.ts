import type { Attributes } from '@opentelemetry/api';
import type { ObservedEvent } from '../telemetry';
import { GEN_AI, GENERAL, OTHER, OWN } from './names';

/** The attributes of an event on the span that it belongs to. */
export function eventAttributes(event: ObservedEvent): Attributes {
  switch (event.type) {
    case 'retry':
      return {
        [OWN.attempt]: event.attempt,
        [OWN.delayMs]: event.delayMs,
        [GENERAL.error]: event.errorCode,
      };
    case 'fallback':
      return { [OWN.from]: event.from, [OWN.to]: event.to, [GENERAL.error]: event.errorCode };
    case 'compaction':
      return { [OWN.tokensBefore]: event.tokensBefore, [OWN.tokensAfter]: event.tokensAfter };
    case 'approval.required':
      return { [GEN_AI.callId]: event.callId, [GEN_AI.tool]: event.tool };
    case 'approval.answered':
      return {
        [GEN_AI.callId]: event.callId,
        [GEN_AI.tool]: event.tool,
        [OWN.answer]: event.answer,
      };
    case 'tool.refused':
      return {
        [GEN_AI.callId]: event.callId,
        // Without a kind there is no such tool: the model has written something else.
        [GEN_AI.tool]: event.kind === undefined ? OTHER : event.tool,
        [OWN.outcome]: event.outcome,
        [GENERAL.error]: event.errorCode,
      };
    case 'parked':
      return { [OWN.pending]: [...event.pending] };
    case 'resumed':
    case 'first_token':
      return {};
  }
}
