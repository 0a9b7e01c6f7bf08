import type { ChatModel } from '../../model';
import type { OfferedTool, RunOptions } from '../../run';
import type { AgentHttpOptions } from '../options';

interface Described {
  readonly http: Pick<AgentHttpOptions, 'name' | 'sendReasoning' | 'limits'>;
  readonly run: Pick<RunOptions, 'frontendTools' | 'maxSteps'>;
  readonly model: Pick<ChatModel, 'capabilities'>;
  /** The tools of this caller. */
  readonly tools: readonly OfferedTool[];
}

/** The answer to `GET /ag-ui/capabilities`, in AG-UI's terms. */
export function capabilitiesOf({ http, run, model, tools }: Described): object {
  const acceptsFiles = http.limits.attachments !== false;
  const { images = false, files = false } = model.capabilities;
  return {
    identity: { name: http.name, type: 'nestjs-agent' },
    transport: { streaming: true, websocket: false, httpBinary: false, resumable: false },
    tools: {
      supported: true,
      items: tools.map(({ definition: { name, description, input_schema: parameters } }) => ({
        name,
        description,
        parameters,
      })),
      parallelCalls: true,
      clientProvided: run.frontendTools !== false,
    },
    state: { snapshots: false, deltas: false, memory: false, persistentState: false },
    multiAgent: { supported: false },
    reasoning: { supported: http.sendReasoning, streaming: http.sendReasoning, encrypted: false },
    multimodal: {
      input: {
        image: acceptsFiles && images,
        audio: false,
        video: false,
        pdf: acceptsFiles && files,
        file: acceptsFiles && files,
      },
      output: { image: false, audio: false },
    },
    execution: { codeExecution: false, maxIterations: run.maxSteps },
    humanInTheLoop: {
      supported: true,
      approvals: true,
      interventions: false,
      feedback: false,
      interrupts: true,
      approveWithEdits: true,
    },
  };
}
