import type { LanguageModelV3 } from '@ai-sdk/provider';

// Separate from the public types, so that users' compilers need not resolve the package.

export type CallOptions = Parameters<LanguageModelV3['doStream']>[0];
export type Prompt = CallOptions['prompt'];
export type ProviderOptions = NonNullable<CallOptions['providerOptions']>;
