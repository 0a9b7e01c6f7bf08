import type { AgentService, AgentSettings, RunOptions, SessionService } from '../../run';
import type { ChatModel } from '../../model';
import { AgUiRuns, AgUiTurns } from '../ag-ui';
import { AiSdkTurns } from '../ai-sdk';
import type { CallerResolver } from '../caller';
import type { HealthReport } from '../health-report';
import { OpenAiModels } from '../openai';
import type { AgentHttpOptions } from '../options';
import { ResponseConversations, StoredResponses } from '../responses';
import type { RunResponder } from '../sse';
import { ClientThreads } from '../threads';

/** Dependencies that the endpoints of one agent share. */
export class EndpointServices {
  readonly run: RunOptions;
  readonly model: ChatModel;
  readonly threads: ClientThreads;
  readonly agUiRuns: AgUiRuns;
  readonly aiSdkTurns: AiSdkTurns;
  readonly openAiModels: OpenAiModels;
  readonly responses: StoredResponses;
  readonly conversations: ResponseConversations;

  constructor(
    readonly agent: AgentService,
    readonly sessions: SessionService,
    { run, model, models }: Pick<AgentSettings, 'run' | 'model' | 'models'>,
    readonly options: AgentHttpOptions,
    readonly responder: RunResponder,
    readonly callers: CallerResolver,
    readonly health: HealthReport,
  ) {
    this.run = run;
    this.model = model;
    this.threads = new ClientThreads(sessions, run);
    this.agUiRuns = new AgUiRuns(new AgUiTurns(agent, sessions, this.threads), options);
    this.aiSdkTurns = new AiSdkTurns(this.threads, sessions);
    this.openAiModels = new OpenAiModels(model, models, options);
    this.responses = new StoredResponses(agent, sessions, options);
    this.conversations = new ResponseConversations(this.responses, sessions);
  }
}
