/**
 * Any language model of the AI SDK. Needs only the package of the model's provider.
 *
 * @module nestjs-agent/ai-sdk
 */
export { aiSdk, type AiSdkOptions } from './ai-sdk.model';
export type { AiSdkLanguageModel, AiSdkProviderTool } from './ai-sdk-language-model';
