import type { JsonObject } from '../message';

/**
 * The used part of the AI SDK's language models: specification v2 (`ai` 5), v3 (`ai` 6) or
 * v4 (`ai` 7). A provider's package makes one.
 *
 * @see https://ai-sdk.dev/providers/community-providers/custom-providers
 * @example
 * import type { AiSdkLanguageModel } from 'nestjs-agent/ai-sdk';
 *
 * const isNewest = ({ specificationVersion }: AiSdkLanguageModel) => specificationVersion === 'v4';
 */
export interface AiSdkLanguageModel {
  /** `v2`, `v3` or `v4`. */
  readonly specificationVersion: string;
  /** The provider's name. */
  readonly provider: string;
  /** The model's name at the provider. */
  readonly modelId: string;
  /** The addresses that the provider fetches itself, by media type. */
  readonly supportedUrls:
    | PromiseLike<Readonly<Record<string, RegExp[]>>>
    | Readonly<Record<string, RegExp[]>>;
  /**
   * Makes one call.
   *
   * @param options the call options of the specification
   */
  doStream(options: never): PromiseLike<{
    /** The answer's parts. */
    readonly stream: ReadableStream<unknown>;
  }>;
}

/**
 * A tool that the provider runs itself, as created by its package.
 *
 * @example
 * import type { AiSdkProviderTool } from 'nestjs-agent/ai-sdk';
 *
 * const search: AiSdkProviderTool = { id: 'anthropic.web_search_20250305', name: 'web_search', args: {} };
 */
export interface AiSdkProviderTool {
  /** The provider's name and the tool's, `anthropic.web_search_20250305`. */
  readonly id: string;
  /** The model's name for it. */
  readonly name: string;
  /** Its settings. */
  readonly args: JsonObject;
}

/** The versions differ little; code branches only where they do. */
export type Version = 'v2' | 'v3' | 'v4';

/** @throws TypeError if the model has another specification */
export function versionOf(model: AiSdkLanguageModel): Version {
  const version: unknown = (model as Partial<AiSdkLanguageModel> | undefined)?.specificationVersion;
  if (version === 'v2' || version === 'v3' || version === 'v4') return version;
  const given = typeof model === 'string' ? 'a name' : `specification ${String(version)}`;
  throw new TypeError(
    `aiSdk() takes a language model of the AI SDK, specification v2, v3 or v4, and was given ${given}. Make it with its provider's package, at a version for ai 5 to 7.`,
  );
}
