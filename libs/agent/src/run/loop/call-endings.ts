import type { Settlement } from '../../invocation';

/** The settlement of a call without a tool's result. The message is for the model. */
function ending(
  status: 'declined' | 'failed' | 'interrupted',
  code: string,
  message: string,
): Settlement {
  return { status, content: message, error: { code, message } };
}

function interrupted(message: string): Settlement {
  return ending('interrupted', 'interrupted', message);
}

function outcomeUnknown(message: string): Settlement {
  return ending('interrupted', 'outcome_unknown', message);
}

export const NOT_RUN = interrupted('The run was stopped before this call ran. It was not run.');
export const CUT_OFF = ending(
  'interrupted',
  'cut_off',
  'The answer that asked for this call was cut off. It was not run.',
);
export const OVER_BUDGET = ending(
  'declined',
  'over_budget',
  "This call was not run: the run's budget of tool calls is used up.",
);
export const REPEATED = ending(
  'declined',
  'repeated',
  'This call was not run: it was made four times in a row with the same arguments and result.',
);
export const NOT_OFFERED = ending(
  'declined',
  'not_offered',
  'This tool is not read-only and is not offered here. It was not run.',
);
export const CANNOT_ASK = ending(
  'declined',
  'approval_required',
  "This call needs the user's approval, which this run cannot ask for. It was not run.",
);
export const CANNOT_WAIT = ending(
  'declined',
  'external',
  'This call needs an answer from outside, and this run cannot wait for one. It was not run.',
);
/** The run ended while the call waited for an external answer. */
export const UNANSWERED = interrupted(
  'The run ended before this call was answered from outside. A later answer will not be used.',
);
export const CANCELLED = interrupted('The run was cancelled before this call ran. It was not run.');
export const OUTCOME_UNKNOWN = outcomeUnknown(
  'The process stopped while this call ran. Its outcome is unknown, and it was not repeated.',
);
/** The store failed. */
export const UNSTORED = outcomeUnknown(
  'The result of this call could not be stored. Its outcome is unknown, and it was not repeated.',
);
export const NEVER_RAN = interrupted('The process stopped before this call ran. It was not run.');
export const DECLINED_BY_MESSAGE = ending(
  'declined',
  'declined',
  'The user did not answer the request for this call but sent a new message. It was not run.',
);
export const LEFT_BY_MESSAGE = interrupted(
  'The user approved this call but sent a new message before it could run. It was not run.',
);
export const APPROVAL_EXPIRED = ending(
  'declined',
  'expired',
  'The approval of this call has expired. It was not run.',
);
export const RESULT_EXPIRED = ending(
  'failed',
  'expired',
  'The result of this call came too late and was not used. The effect of the call is unknown.',
);

/** @param reason the user's text */
export function rejected(reason: string | undefined): Settlement {
  const text = 'The user declined this call. It was not run.';
  const isBlank = reason === undefined || reason.trim() === '';
  return ending('declined', 'declined', isBlank ? text : `${text} The user's reason: ${reason}`);
}
