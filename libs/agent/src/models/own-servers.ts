import { preset } from './preset';

// Self-hosted servers.

/**
 * A local Ollama, at `http://127.0.0.1:11434/v1` by default; no key needed. The first call loads
 * the model, which may take minutes.
 *
 * @see https://docs.ollama.com/api/openai-compatibility
 * @example
 * import { ollama } from 'nestjs-agent/models';
 *
 * ollama({ model: 'qwen3' });
 */
export const ollama = preset({
  baseURL: 'http://127.0.0.1:11434/v1',
  quirks: { files: false },
  timeouts: { connectMs: 300_000 },
});

/**
 * A self-hosted vLLM server, at `http://127.0.0.1:8000/v1` by default; set `apiKey` if it was
 * started with one.
 *
 * @see https://docs.vllm.ai/en/stable/serving/openai_compatible_server.html
 * @example
 * import { vllm } from 'nestjs-agent/models';
 *
 * vllm({ model: 'Qwen/Qwen3-8B', baseURL: 'http://gpu-1.internal:8000/v1' });
 */
export const vllm = preset({
  baseURL: 'http://127.0.0.1:8000/v1',
  quirks: { files: false },
});
