import type { ToolDefinition } from '../../tool';
import type { Parameter } from './json-schema.reader';
import { listed, spoken } from './result.phrasing';
import { intentOf, spellOut, wordsOf } from './language';

const MAX_TOOLS = 12;

/** The text at the start of a conversation's first reply. */
export function introduction(): string {
  return 'I am the offline model, a stand-in and no language model: I match your words with the tools I have. Set OPENAI_API_KEY to talk to a real one.';
}

/** The answer of another agent on this model, without its introduction. */
export function withoutIntroduction(text: string): string {
  return text.replace(introduction(), '').trim();
}

export function whatItCanDo(tools: readonly ToolDefinition[]): string {
  if (tools.length === 0) {
    return 'I have no tools here, and without tools the offline model cannot do anything.';
  }
  const lineOf = ({ name, description }: ToolDefinition) =>
    `${spoken(name)}: ${firstSentence(description)}`;
  return listed('This is what I can do:', tools, MAX_TOOLS, lineOf);
}

export function cannot(request: string, tools: readonly ToolDefinition[]): string {
  return `I found no tool for "${request.trim()}". ${whatItCanDo(tools)}`;
}

export function greeting(ask: string, tools: readonly ToolDefinition[]): string {
  if (/\bthank|\bthanks|\bcheers\b/i.test(ask)) return 'You are welcome.';
  if (/\bbye\b|\bgoodbye\b/i.test(ask)) return 'Goodbye.';
  return `Hello. ${whatItCanDo(tools)}`;
}

const SMALL_TALK =
  /^(?:(?:hi|hello|hey|good (?:morning|afternoon|evening|day)|thanks|thank you|thank you very much|thanks a lot|cheers|bye|goodbye|help|help me|test|ping|ok|okay|yes|no|who are you|what are you|what can you do|what do you do|how are you|how can you help|what can i ask|what tools do you have|which tools do you have|there|everyone|please|so much)[\s,.!?]*)+$/i;

export function isSmallTalk(ask: string): boolean {
  return SMALL_TALK.test(ask.trim());
}

export function isCancelling(ask: string): boolean {
  return /^(?:never ?mind|forget it|cancel(?: that| it)?|stop|leave it)[\s.!]*$/i.test(ask.trim());
}

/** Asks for a missing argument. `answerToQuestion` recognises it in the history. */
export function questionFor(tool: ToolDefinition, missing: readonly Parameter[]): string {
  const wishes = missing.map(({ name, schema }) => {
    const details = [
      schema.description?.replace(/\.$/, ''),
      schema.enum === undefined ? undefined : `one of ${schema.enum.map(String).join(', ')}`,
    ].filter((detail) => detail !== undefined);
    return details.length === 0 ? `"${name}"` : `"${name}" (${details.join('; ')})`;
  });
  return `To use ${tool.name} I still need ${wishes.join(' and ')}. What should it be?`;
}

/** The tool whose arguments a reply asked for, if `answer` reads like an answer. */
export function answerToQuestion(reply: string, answer: string): string | undefined {
  const tool = /To use (\w+) I still need /.exec(reply)?.[1];
  if (tool === undefined || isSmallTalk(answer) || isCancelling(answer)) return undefined;
  const isShort = wordsOf(answer).length <= 8;
  return isShort && intentOf(spellOut(answer)) === 'none' ? tool : undefined;
}

function firstSentence(text: string): string {
  return (/^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text).trim();
}
