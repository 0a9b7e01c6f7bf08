import type { ControllerOptions } from '@nestjs/common';
import type { WorkbenchOptions } from './workbench-options';

/**
 * OpenAI's protocols.
 *
 * @example
 * const openai: OpenAiProtocols = { responses: true, serverItems: 'hidden' };
 */
export interface OpenAiProtocols {
  /** Whether `/v1/responses` is served; `true` by default. */
  readonly responses?: boolean;
  /**
   * How `/v1/responses` shows calls of the application's own tools: as items of type `mcp_call` (the
   * default), which OpenAI's clients understand, or not at all.
   */
  readonly serverItems?: 'mcp' | 'hidden';
}

/**
 * The protocols of front-ends, each served below the module's `path`.
 *
 * @example
 * const protocols: ProtocolOptions = { agUi: false, openai: { responses: false } };
 */
export interface ProtocolOptions {
  /** The AI SDK's UI message stream at `/ai-sdk`, for `useChat`; `true` by default. */
  readonly aiSdk?: boolean;
  /**
   * AG-UI at `/ag-ui`, for CopilotKit and others; `true` by default.
   *
   * @experimental
   */
  readonly agUi?: boolean;
  /** OpenAI's endpoints below `/v1`; `true`, which is all of them, by default. */
  readonly openai?: boolean | OpenAiProtocols;
}

/** The settings of the application's own endpoints, which those of further agents share. */
export interface EndpointSettings {
  /** The protocols of others that are served; all of them by default. */
  readonly protocols?: ProtocolOptions;
  /**
   * The version of all controllers; by default they serve every version, and requests without one.
   */
  readonly version?: ControllerOptions['version'];
  /**
   * Whether the workbench is served, and which callers see all tools on it; not served by default.
   *
   * @experimental
   */
  readonly workbench?: boolean | 'development' | WorkbenchOptions;
}

/** The protocols that are served, defaults filled in. */
export interface ServedProtocols {
  readonly aiSdk: boolean;
  readonly agUi: boolean;
  readonly completions: boolean;
  readonly responses: boolean;
  readonly serverItems: 'mcp' | 'hidden';
}

export function servedProtocols({
  aiSdk = true,
  agUi = true,
  openai = true,
}: ProtocolOptions = {}): ServedProtocols {
  const { responses = true, serverItems = 'mcp' } = typeof openai === 'object' ? openai : {};
  const completions = openai !== false;
  return { aiSdk, agUi, completions, responses: completions && responses, serverItems };
}
