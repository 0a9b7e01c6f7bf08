import type { LanguageModelV3 } from '@ai-sdk/provider';

// Apart from what users import, so that their compilers need not find the package.

export type CallOptions = Parameters<LanguageModelV3['doStream']>[0];
export type Prompt = CallOptions['prompt'];
export type ProviderOptions = NonNullable<CallOptions['providerOptions']>;
