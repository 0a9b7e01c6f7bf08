import {
  type ChatModel,
  type ModelTimeouts,
  type OpenAiOptions,
  type OpenAiQuirks,
} from '../model';
import { type OpenAiService, openAiService } from '../model/openai';

/** The settings of a service with OpenAI's protocol. */
interface OpenAiPreset extends OpenAiService {
  readonly quirks: OpenAiQuirks;
  readonly timeouts?: ModelTimeouts;
}

/**
 * Options of a preset: those of `openai()`, with defaults that fit the service.
 *
 * @example
 * import type { PresetOptions } from 'nestjs-agent/models';
 *
 * const options: PresetOptions = { model: 'deepseek-chat', timeouts: { connectMs: 10_000 } };
 */
export type PresetOptions = OpenAiOptions & {
  /** The service's own name of the model. Required. */
  readonly model: string;
};

/** Creates a preset function from the settings of a service. */
export function preset(service: OpenAiPreset): (options: PresetOptions) => ChatModel {
  return (options) =>
    openAiService(
      {
        ...options,
        quirks: { ...service.quirks, ...options.quirks },
        timeouts: { ...service.timeouts, ...options.timeouts },
      },
      service,
    );
}
