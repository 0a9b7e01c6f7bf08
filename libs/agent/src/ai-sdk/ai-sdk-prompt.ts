import {
  isJsonObject,
  textOf,
  type ContentBlock,
  type JsonValue,
  type Message,
  type ToolResultBlock,
} from '../message';
import { belongsTo, textualResult, wellFormed } from '../model/history';
import { type ModelRequest } from '../model';
import { providerName } from '../model/tool-calls';
import { shortHash } from '../internal';
import type { AiSdkLanguageModel } from './ai-sdk-language-model';
import { mediaPart, supportedUrlsOf, type Sight } from './ai-sdk-media';
import type { AiSdkOwner } from './ai-sdk-provider-data';
import type { Prompt } from './ai-sdk-call';

export interface PromptSettings extends Omit<Sight, 'urls'> {
  readonly model: AiSdkLanguageModel;
  readonly owner: AiSdkOwner;
}

interface Turn {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly content: object[];
}

/**
 * A request's history in the specification's form. System texts come first, since many providers
 * accept them only there. Pictures and files of results follow the results, where every provider
 * reads them.
 *
 * @see https://github.com/vercel/ai/tree/main/packages/provider/src/language-model
 */
export async function toAiSdkPrompt(
  { system = '', messages }: Pick<ModelRequest, 'system' | 'messages'>,
  { model, owner, ...seen }: PromptSettings,
): Promise<Prompt> {
  const sight = { ...seen, urls: await supportedUrlsOf(model) };
  const names = namesOfCalls(messages);
  const shown = (block: Extract<ContentBlock, { type: 'image' | 'file' }>) =>
    mediaPart(block, sight);
  const turns: Turn[] = [];
  const add = (role: Turn['role'], content: readonly object[]) => {
    const last = turns.at(-1);
    if (content.length === 0) return;
    if (last?.role === role) last.content.push(...content);
    else turns.push({ role, content: [...content] });
  };
  for (const message of messages) {
    const { role, content } = message;
    if (role === 'assistant')
      add(
        'assistant',
        content.flatMap((block) => saidPart(block, owner)),
      );
    if (role !== 'user') continue;
    const results = content.filter((block) => block.type === 'tool_result');
    add(
      'tool',
      results.map((result) => resultPart(result, names)),
    );
    add('user', [
      ...results.flatMap((result) =>
        textualResult(result).media.flatMap((media) => [
          { type: 'text', text: belongsTo(callId(result.tool_use_id)) },
          shown(media),
        ]),
      ),
      ...content.flatMap((block) => {
        if (block.type === 'text') return textPart(block.text);
        return block.type === 'image' || block.type === 'file' ? [shown(block)] : [];
      }),
    ]);
  }
  // A history that compaction cut may begin with an answer, and a client's history may end with
  // one.
  if (turns[0]?.role !== 'user') turns.unshift(standIn('(earlier messages left out)'));
  if (turns.at(-1)?.role === 'assistant') turns.push(standIn('(go on)'));
  const texts = [system, ...messages.filter(({ role }) => role === 'system').map(textOf)];
  const instructions = texts.filter((text) => text.trim() !== '').join('\n\n');
  const prompt =
    instructions === '' ? turns : [{ role: 'system', content: instructions }, ...turns];
  return prompt as unknown as Prompt;
}

/** An id that every provider accepts. */
export function callId(id: string): string {
  return /^(?!id_)[a-zA-Z0-9_-]{1,64}$/.test(id) ? id : `id_${shortHash(id, 32)}`;
}

function standIn(text: string): Turn {
  return { role: 'user', content: [{ type: 'text', text }] };
}

function textPart(text: string): object[] {
  return text.trim() === '' ? [] : [{ type: 'text', text: wellFormed(text) }];
}

function saidPart(block: ContentBlock, owner: AiSdkOwner): object[] {
  switch (block.type) {
    case 'text': {
      const providerOptions = owner.optionsOf(block.providerData);
      return textPart(block.text).map((part) => ({
        ...part,
        ...(providerOptions && { providerOptions }),
      }));
    }
    case 'reasoning': {
      // Thoughts without this provider's data came from another provider.
      const providerOptions = owner.optionsOf(block.providerData);
      return providerOptions ? [{ type: 'reasoning', text: block.text, providerOptions }] : [];
    }
    case 'tool_use': {
      const providerOptions = owner.optionsOf(block.providerData);
      return [
        {
          type: 'tool-call',
          toolCallId: callId(block.id),
          toolName: providerName(block.name),
          input: wellFormed(block.input),
          ...(providerOptions && { providerOptions }),
        },
      ];
    }
    case 'provider_tool': {
      const parts = owner.read(block.providerData)?.['parts'];
      return Array.isArray(parts) ? (parts as readonly JsonValue[]).filter(isJsonObject) : [];
    }
    case 'tool_result':
    case 'image':
    case 'file':
    case 'source':
      return [];
  }
}

function resultPart(result: ToolResultBlock, names: ReadonlyMap<string, string>): object {
  const { tool_use_id: id, content, is_error: isError } = result;
  const value = wellFormed(
    typeof content === 'string' ? content : textualResult(result).texts.join('\n'),
  );
  return {
    type: 'tool-result',
    toolCallId: callId(id),
    toolName: providerName(names.get(id) ?? 'tool'),
    output: { type: isError ? 'error-text' : 'text', value },
  };
}

function namesOfCalls(messages: readonly Message[]): ReadonlyMap<string, string> {
  const calls = messages.flatMap(({ content }) =>
    content.filter((block) => block.type === 'tool_use'),
  );
  return new Map(calls.map(({ id, name }) => [id, name]));
}
