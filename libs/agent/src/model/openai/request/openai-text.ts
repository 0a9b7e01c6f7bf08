import type { ChatCompletionContentPartText } from 'openai/resources/chat/completions';
import type { OpenAiQuirks } from '../openai-quirks';

type OpenAiText = string | ChatCompletionContentPartText[];

/** Texts as a message's content: a plain text if possible, since every service accepts that. */
export function textContent(
  texts: readonly string[],
  separator: string,
  quirks: OpenAiQuirks,
): OpenAiText | undefined {
  if (texts.length === 0) return undefined;
  return texts.length === 1 ? texts[0] : textList(texts, separator, quirks);
}

/** Texts as a list of parts, even if there is only one; joined if the service accepts no list. */
export function textList(
  texts: readonly string[],
  separator: string,
  { textParts }: OpenAiQuirks,
): OpenAiText {
  return textParts === true ? texts.map((text) => ({ type: 'text', text })) : texts.join(separator);
}
