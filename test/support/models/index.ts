/**
 * Providers for tests: servers that answer as a test says, and the rules that real ones keep. The
 * library's unit specs use the same equipment, so it stands beside them.
 */
export { collect, textIn } from '../../../libs/agent/src/model/fixtures/collect';
export {
  delta,
  DONE,
  finish,
  frame,
  ModelServer,
  text,
  toolCall,
  USAGE,
  type Handler,
  type RecordedRequest,
  type Reply,
} from '../../../libs/agent/src/model/fixtures/model.server';
export { brokenAnthropicRules } from '../../../libs/agent/src/anthropic/request/fixtures/anthropic.rules';
export { brokenOpenAiRules } from '../../../libs/agent/src/model/fixtures/openai.rules';
export { DTO_CASES } from '../../../libs/agent/src/schema/fixtures';
export { block, said, start, stop } from './messages-stream';
export * from './provider-rules';
export { serverForEachTest } from './server-for-each-test';
export { ProviderModels, type SentTool } from './provider-models';
