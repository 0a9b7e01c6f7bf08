import { Batched, batchesOf } from '../message';
import type { ChatModel, ModelEvent } from '../model';
import { preset, type PresetOptions } from './preset';

const service = preset({
  baseURL: 'https://api.perplexity.ai',
  keyVariable: 'PERPLEXITY_API_KEY',
  quirks: { tools: false, files: false, singleSystem: true, alternatingRoles: true },
});

/**
 * Sonar models of Perplexity, which search the web for every answer; the key is
 * `PERPLEXITY_API_KEY` by default. They call no tools. The pages that an answer cites are its
 * `source`s; they also follow the answer as Markdown link definitions for the marks `[1]` in the
 * text. Perplexity recommends its Agent API, which uses OpenAI's Responses protocol, for new
 * projects.
 *
 * @see https://docs.perplexity.ai/docs/sonar/openai-compatibility
 * @see https://docs.perplexity.ai/docs/agent-api/migrate-from-sonar
 * @example
 * import { perplexity } from 'nestjs-agent/models';
 *
 * perplexity({ model: 'sonar-pro' });
 */
export function perplexity(options: PresetOptions): ChatModel {
  const model = service(options);
  return {
    name: model.name,
    ...(model.provider !== undefined && { provider: model.provider }),
    capabilities: model.capabilities,
    stream: (request, options) => {
      const events = model.stream(request, options);
      return request.responseFormat ? events : new Batched(withLinks(batchesOf(events)));
    },
  };
}

/** An answer followed by the addresses of its citation marks, in the order received. */
async function* withLinks(
  batches: AsyncIterable<readonly ModelEvent[]>,
): AsyncGenerator<readonly ModelEvent[], void, undefined> {
  let text = '';
  const urls: string[] = [];
  for await (const batch of batches) {
    const passed: ModelEvent[] = [];
    for (const event of batch) {
      if (event.type === 'text.delta') text += event.delta;
      if (event.type === 'source') urls.push(event.url);
      if (event.type === 'finish') {
        const links = linksOf(text, urls);
        if (links !== '') passed.push({ type: 'text.delta', delta: `\n\n${links}` });
      }
      passed.push(event);
    }
    yield passed;
  }
}

/** @see https://spec.commonmark.org/0.31.2/#link-reference-definitions */
function linksOf(text: string, urls: readonly string[]): string {
  return urls
    .map((url, index) => ({ mark: `[${index + 1}]`, url }))
    .filter(({ mark }) => text.includes(mark))
    .map(({ mark, url }) => `${mark}: <${url.replace(/[<>]/g, encodeURIComponent)}>`)
    .join('\n');
}
