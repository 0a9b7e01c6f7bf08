import { NO_USAGE, type AgentEventBody } from '../../message';
import { ResponseOutput } from './response-output';

const STEP: AgentEventBody = { type: 'step.started', step: 1 };
const END: AgentEventBody = {
  type: 'run.finished',
  status: 'completed',
  stopReason: 'end_turn',
  message: 'Hello',
  usage: NO_USAGE,
  pendingActions: [],
};

describe('ResponseOutput', () => {
  it('ends the text of a discarded step as incomplete, and has the last words alone at the end', () => {
    const output = outputOf();
    const bodies: readonly AgentEventBody[] = [
      STEP,
      { type: 'thinking.delta', delta: 'Hm.' },
      { type: 'text.delta', delta: 'Hel' },
      { type: 'step.discarded', from: 1, to: 3 },
      STEP,
      { type: 'text.delta', delta: 'Hello' },
      END,
    ];
    const events = bodies.flatMap((body, index) =>
      output.take({ ...body, runId: 'run_1', seq: index + 1 }),
    );
    const done = events.filter(({ type }) => type === 'response.output_item.done');
    expect(done).toMatchObject([
      { output_index: 0, item: { type: 'reasoning' } },
      { output_index: 1, item: { id: 'msg_run_1_3', status: 'incomplete' } },
      { output_index: 2, item: { id: 'msg_run_1_6', status: 'completed' } },
    ]);
    expect(output.items).toMatchObject([{ id: 'msg_run_1_6', content: [{ text: 'Hello' }] }]);
  });

  it('keeps the items of a step that was finished before its worker stopped', () => {
    const output = outputOf();
    const bodies: readonly AgentEventBody[] = [
      STEP,
      { type: 'text.delta', delta: 'Hello' },
      { type: 'step.finished', step: 1, usage: NO_USAGE, finishReason: 'end_turn' },
      { type: 'step.discarded', from: 4, to: 1_003 },
      END,
    ];
    for (const [index, body] of bodies.entries())
      output.take({ ...body, runId: 'run_1', seq: index + 1 });
    expect(output.items).toMatchObject([{ status: 'completed', content: [{ text: 'Hello' }] }]);
  });
});

function outputOf(): ResponseOutput {
  return new ResponseOutput({
    agentName: 'agent',
    hidesServerItems: false,
    sendReasoning: true,
    isJson: false,
    earlier: { asked: [], delegating: [] },
    clientNameOf: (name) => name,
  });
}
