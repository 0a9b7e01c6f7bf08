/** A response: one request's part of a run. */
export interface ResponsePointer {
  readonly runId: string;
  /** The number of the run's last event before the response; 0 of a run's first response. */
  readonly after: number;
}

const RESPONSE = /^resp_(run_[A-Za-z0-9_-]{1,128})_(\d{1,15})$/;
const APPROVAL = 'mcpr_';

export function responseIdOf({ runId, after }: ResponsePointer): string {
  return `resp_${runId}_${after}`;
}

/** `undefined` for anything but an id that the server could have issued. */
export function pointerOf(id: string): ResponsePointer | undefined {
  const [, runId, after] = RESPONSE.exec(id) ?? [];
  return runId === undefined ? undefined : { runId, after: Number(after) };
}

export function approvalIdOf(callId: string): string {
  return APPROVAL + callId;
}

/** The call that an approval request is about; an id that is none of ours names no call. */
export function askedCallOf(approvalId: string): string {
  return approvalId.startsWith(APPROVAL) ? approvalId.slice(APPROVAL.length) : '';
}
