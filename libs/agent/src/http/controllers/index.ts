// The agent's endpoints. A controller reads the request, calls AgentService or SessionService, and
// passes the answer to a responder.
export { AgUiController } from './ag-ui.controller';
export { AiSdkController } from './ai-sdk.controller';
export { ChatController } from './chat.controller';
export { EndpointServices } from './endpoint-services';
export { HealthController } from './health.controller';
export { OpenAiController } from './openai.controller';
export { ResponsesController } from './responses.controller';
export { RunsController } from './runs.controller';
export { SessionsController } from './sessions.controller';
export { ToolsController } from './tools.controller';
export { UiController } from './ui.controller';
export { describeForSwagger, loadSwagger } from './describe-for-swagger';
export { AGENT_NAME, type AgentController, agentControllersOf } from './agent-controllers';
