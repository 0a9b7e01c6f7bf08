import { failedEnd, originOf, type Telemetry } from '../telemetry';
import type { Tool } from '../tool';
import type { CallRecorder } from './audit';
import { CheckedCall, failedOutcomeOf, type Settlement } from './call';

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
    const { telemetry } = this;
    const state = CheckedCall.stateOf(call);
    return telemetry.around('toolCall', {
      info: () => ({
        ...originOf(state.options),
        callId: call.id,
        tool: call.name,
        kind: call.tool?.kind ?? 'function',
        reason,
        approval: state.approval,
        ...(call.tool && { description: call.tool.definition.description }),
        ...(telemetry.seesContent && {
          content: { arguments: this.recorder.shown(call.tool, call.input) },
        }),
      }),
      work: () => {
        state.trace = telemetry.trace();
        return work();
      },
      end: (settlement) => ({
        status: settlement?.status ?? 'awaiting_result',
        attempts: call.response.attempts,
        // A cancelled call has not failed; any other reason to stop is the run's error.
        ...(settlement?.error &&
          settlement.status !== 'interrupted' && { errorCode: settlement.error.code }),
        ...(telemetry.seesContent && {
          content: settlement ? { result: settlement.content } : {},
        }),
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
    const { options, approval, hasRun = false, trace } = CheckedCall.stateOf(call);
    this.recorder.record(call, options, approval, tool, trace ?? this.telemetry.trace());
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
      outcome: failedOutcomeOf({ status, error }),
      errorCode: error?.code ?? status,
    }));
  }
}
