import { createHash } from 'node:crypto';
import type { Attributes } from '@opentelemetry/api';
import { defined } from '../internal';
import type { ObservedOrigin } from '../telemetry';
import { GEN_AI, GENERAL, OWN } from './names';
import type { OtelOptions } from './otel-options';

/** The attributes of every span: whose work it is. */
export function identityOf(
  { agent, runId, sessionId, principal }: ObservedOrigin,
  shown: OtelOptions['principal'],
): Attributes {
  return defined({
    [GEN_AI.agent]: agent,
    [GEN_AI.conversation]: sessionId,
    [OWN.run]: runId,
    [GENERAL.session]: sessionId,
    [GENERAL.user]: principal === undefined ? undefined : userId(principal, shown),
  });
}

function userId(principal: string, shown: OtelOptions['principal']): string | undefined {
  switch (shown) {
    case 'plain':
      return principal;
    case 'hash':
      return createHash('sha256').update(principal).digest('hex');
    case 'none':
    case undefined:
      return undefined;
  }
}
