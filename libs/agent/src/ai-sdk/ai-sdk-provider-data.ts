import { isJsonObject, type JsonObject, type JsonValue, type ProviderData } from '../message';
import type { ProviderOptions } from './ai-sdk-call';

/** A provider's metadata and parts, which are sent back only to its own models. */
export class AiSdkOwner {
  private readonly key: string;

  /** @param provider the provider name of its models, `anthropic.messages` */
  constructor(provider: string) {
    this.key = `ai-sdk:${provider}`;
  }

  /** `undefined` if the provider sent no data. */
  dataOf(metadata: unknown): ProviderData | undefined {
    return isJsonObject(metadata) && Object.keys(metadata).length > 0
      ? this.own({ metadata })
      : undefined;
  }

  own(data: JsonObject): ProviderData {
    return { [this.key]: toJson(data) };
  }

  /** The data to send back as `providerOptions`; `undefined` if it is from another provider. */
  optionsOf(data: ProviderData | undefined): ProviderOptions | undefined {
    const metadata = this.read(data)?.['metadata'];
    return isJsonObject(metadata) ? (metadata as ProviderOptions) : undefined;
  }

  read(data: ProviderData | undefined): JsonObject | undefined {
    const own = data?.[this.key];
    return isJsonObject(own) ? own : undefined;
  }
}

/** Parts may hold dates, URLs and `undefined`; the journal holds JSON. */
export function toJson(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value ?? null)) as JsonValue;
}

/** Metadata arrives in pieces; every key of a provider is kept. */
export function mergedMetadata(before: unknown, more: unknown): JsonObject | undefined {
  if (!isJsonObject(more)) return isJsonObject(before) ? before : undefined;
  const merged: Record<string, JsonValue> = isJsonObject(before) ? { ...before } : {};
  for (const [provider, value] of Object.entries(more)) {
    const known = merged[provider];
    merged[provider] = isJsonObject(known) && isJsonObject(value) ? { ...known, ...value } : value;
  }
  return merged;
}
