import { failedEnd, originOf, type Telemetry } from '../telemetry';
import type { Tool } from '../tool';
import type { CallRecorder } from './audit';
import { CheckedCall, type Settlement } from './call';

/** Reports calls to the telemetry hooks and the audit. */
export class CallObserver {
  constructor(
    private readonly recorder: CallRecorder,
    private readonly telemetry: Telemetry,
  ) {}

  /** Executes a call within its telemetry hook. */
  around(
    call: CheckedCall,
    reason: 'call' | 'approved' | 'delivered',
    work: () => Promise<Settlement | undefined>,
  ): Promise<Settlement | undefined> {
    return this.telemetry.around('toolCall', {
      info: () => ({
        ...originOf(CheckedCall.stateOf(call).options),
        callId: call.id,
        tool: call.name,
        kind: call.tool?.kind ?? 'function',
        reason,
      }),
      work,
      end: (settlement) => ({
        status: settlement?.status ?? 'awaiting_result',
        attempts: call.response.attempts,
        ...(settlement?.error && { errorCode: settlement.error.code }),
      }),
      failed: (error) => ({
        attempts: call.response.attempts,
        ...failedEnd(error),
        status: 'failed',
      }),
    });
  }

  /** @param tool the tool of the call's name, even if the caller may not see it */
  settled(call: CheckedCall, tool: Tool | undefined): void {
    const { options, approval, hasRun = false } = CheckedCall.stateOf(call);
    this.recorder.record(call, options, approval, tool);
    if (!hasRun && call.response.status !== 'executed') this.refused(call);
  }

  private refused(call: CheckedCall): void {
    const { status, error } = call.response;
    this.telemetry.event(() => ({
      type: 'tool.refused',
      ...originOf(CheckedCall.stateOf(call).options),
      callId: call.id,
      tool: call.name,
      ...(call.tool && { kind: call.tool.kind }),
      outcome:
        error?.code === 'expired'
          ? 'expired'
          : status === 'declined' || status === 'interrupted'
            ? status
            : 'error',
      errorCode: error?.code ?? status,
    }));
  }
}
