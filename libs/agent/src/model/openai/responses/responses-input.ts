import type {
  ResponseInputItem,
  ResponseInputContent,
  ResponseInputImage,
  ResponseInputFile,
} from 'openai/resources/responses/responses';
import {
  isJsonObject,
  joinedTexts,
  type ContentBlock,
  type JsonObject,
  type Message,
  type FileBlock,
  type ImageBlock,
} from '../../../message';
import { FAILED, textualResult, wellFormed, fileText, mediaLabel, sourceOf } from '../../history';
import { openAiCallId, pictureAddress } from '../request';
import type { OpenAiQuirks } from '../openai-quirks';
import { providerName } from '../../tool-calls';

/** The characters that ids of calls may have. */
const CALL_IDS: OpenAiQuirks = { maxCallIdChars: 64 };

/**
 * A history as items of the Responses API. Data that its service needs back (thoughts, calls of its
 * own tools) keeps its place, unchanged; data of other services is left out.
 *
 * @param provider the service, see `ProviderData`
 * @see https://platform.openai.com/docs/guides/reasoning#keeping-reasoning-items-in-context
 */
export function toResponsesInput(
  messages: readonly Message[],
  quirks: OpenAiQuirks,
  provider: string,
): ResponseInputItem[] {
  const items = messages.flatMap((message): ResponseInputItem[] => {
    switch (message.role) {
      case 'system':
        return systemItems(message);
      case 'assistant':
        return assistantItems(message, provider);
      case 'user':
        return userItems(message.content, quirks);
    }
  });
  return wellFormed(items);
}

function systemItems({ content }: Message): ResponseInputItem[] {
  const parts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  return parts.length === 0 ? [] : [{ role: 'system', content: parts.join('\n\n') }];
}

function assistantItems({ content }: Message, provider: string): ResponseInputItem[] {
  const items: ResponseInputItem[] = [];
  let phase: unknown;
  for (const block of joinedTexts(content)) {
    const data = 'providerData' in block ? block.providerData?.[provider] : undefined;
    const own: JsonObject = isJsonObject(data) ? data : {};
    if (isJsonObject(own.item) && isTakenBack(own.item)) {
      items.push(own.item as unknown as ResponseInputItem);
    } else if (block.type === 'reasoning') {
      phase = own.phase ?? phase;
    } else if (block.type === 'text' && block.text !== '') {
      const text = { type: 'output_text' as const, text: block.text };
      // The SDK's type requires more than the service does.
      items.push({
        role: 'assistant',
        content: [text],
        ...(phase !== undefined && { phase }),
      } as never);
      phase = undefined;
    } else if (block.type === 'tool_use') {
      items.push({
        type: 'function_call',
        call_id: openAiCallId(block.id, CALL_IDS),
        name: providerName(block.name),
        // The service parses this text as well, so it must be well-formed itself.
        arguments: JSON.stringify(wellFormed(block.input)),
        ...(isJsonObject(own.call) ? own.call : {}),
      });
    }
  }
  return withoutLastThoughts(items);
}

/** Thoughts that refer to the service's store are of no use without it. */
function isTakenBack({ type, encrypted_content: encrypted, content }: JsonObject): boolean {
  if (type !== 'reasoning') return true;
  return typeof encrypted === 'string' || (Array.isArray(content) && content.length > 0);
}

/** Thoughts without a following item are refused; an interrupted answer may end with one. */
function withoutLastThoughts(items: readonly ResponseInputItem[]): ResponseInputItem[] {
  const isThought = (item: ResponseInputItem) => 'type' in item && item.type === 'reasoning';
  return items.slice(0, items.findLastIndex((item) => !isThought(item)) + 1);
}

/** Results come before anything else that the user says. */
function userItems(blocks: readonly ContentBlock[], quirks: OpenAiQuirks): ResponseInputItem[] {
  const results = blocks.flatMap((block): ResponseInputItem[] => {
    if (block.type !== 'tool_result') return [];
    const failed = block.is_error ? FAILED : '';
    const { content } = block;
    const output =
      typeof content === 'string'
        ? failed + textualResult(block).texts.join('')
        : [
            ...(block.is_error ? [{ type: 'input_text' as const, text: FAILED.trim() }] : []),
            ...inputContent(content, quirks),
          ];
    const isEmpty = output.length === 0;
    return [
      {
        type: 'function_call_output',
        call_id: openAiCallId(block.tool_use_id, CALL_IDS),
        output: isEmpty ? '' : output,
      },
    ];
  });
  const content = inputContent(
    blocks.filter(({ type }) => type !== 'tool_result'),
    quirks,
  );
  return content.length === 0 ? results : [...results, { role: 'user', content }];
}

/**
 * A user's message or a tool's result, as the Responses API accepts it. A text file is sent as
 * text; media that the service does not accept are named.
 *
 * @see https://platform.openai.com/docs/api-reference/responses/create
 */
function inputContent(
  blocks: readonly ContentBlock[],
  quirks: OpenAiQuirks,
): ResponseInputContent[] {
  return blocks.flatMap((block): ResponseInputContent[] => {
    switch (block.type) {
      case 'text':
        return [{ type: 'input_text', text: block.text }];
      case 'image':
        return [imagePart(block, quirks) ?? named(block)];
      case 'file':
        return [filePart(block, quirks) ?? named(block)];
      default:
        return [];
    }
  });
}

function named(block: ImageBlock | FileBlock): ResponseInputContent {
  return { type: 'input_text', text: mediaLabel(block) };
}

function imagePart(image: ImageBlock, quirks: OpenAiQuirks): ResponseInputImage | undefined {
  const image_url = pictureAddress(image, quirks);
  return image_url === undefined ? undefined : { type: 'input_image', detail: 'auto', image_url };
}

function filePart(file: FileBlock, { files }: OpenAiQuirks): ResponseInputContent | undefined {
  const source = sourceOf(file);
  if (source.kind === 'data' && source.mediaType.startsWith('text/'))
    return { type: 'input_text', text: fileText(file, source.data) };
  if (files === false || source.kind === 'none') return undefined;
  if (source.kind === 'url') return { type: 'input_file', file_url: source.url };
  if (source.mediaType !== 'application/pdf') return undefined;
  const file_data = `data:${source.mediaType};base64,${source.data}`;
  const part: ResponseInputFile = { type: 'input_file', filename: file.name ?? 'file', file_data };
  return part;
}
