import { defined, type Tagged } from '../../../internal';
import { isJsonObject, type ContentBlock, type Message } from '../../../message';
import type { ModelSettings, ToolChoice } from '../../../model';
import type { ChatAction, UserContent } from '../../../run';
import { type ClientToolSet, clientToolsOf } from '../../client-tools';
import {
  blocksIn,
  booleanOf,
  checkFields,
  type ConversationLimits,
  invalid,
  maxTokensOf,
  OpenAiRequestError,
  type RawBody,
  toolChoiceOf,
  unsupported,
  wrong,
} from '../../openai';
import type { AgentHttpOptions } from '../../options';
import { answersOf } from './response-answers';
import { contentOf, textOf } from './response-content';
import { messagesOf } from './response-history';
import { type InputItem, isAsked, itemsOf } from './response-items';
import { REFUSED, settingsOf, stringOf } from './response-settings';
import { chosenTool, toolsOf } from './response-tools';

/** A request's pointer into a conversation of this server. */
export interface ConversationPointer {
  readonly previousResponseId?: string;
  /** A session's id. */
  readonly conversation?: string;
}

type ResponseTask = Tagged<Tasks>;

interface Tasks {
  /** A message, in a stored session. */
  start: {
    content: readonly UserContent[];
    /** The client's system texts: facts, no instructions. */
    environmentContext: readonly string[];
  };
  /** Answers to the pending actions of the last run. */
  resume: { actions: readonly ChatAction[] };
  /** A conversation that the client stores. */
  complete: { messages: readonly Message[]; settings: ModelSettings; maxTokens?: number };
}

/** A validated request. */
export interface ResponseRequest {
  /** The client's name of the model; the agent's by default. */
  readonly model: string;
  readonly isStream: boolean;
  readonly pointer: ConversationPointer;
  readonly task: ResponseTask;
  readonly tools: ClientToolSet;
  readonly toolChoice?: ToolChoice;
  /** The request's fields, for the answer to repeat. */
  readonly repeated: Readonly<Record<string, unknown>>;
}

interface ReadingOptions {
  readonly limits: ConversationLimits & Pick<AgentHttpOptions['limits'], 'bodyBytes'>;
  readonly agentName: string;
}

/** @throws OpenAiRequestError naming the invalid field */
export function responseRequestOf(body: RawBody, options: ReadingOptions): ResponseRequest {
  const model = stringOf(body, 'model') ?? options.agentName;
  checkFields(body, REFUSED, 'by this server');
  const pointer = pointerIn(body);
  const { own, shown } = toolsOf(body, options.agentName);
  const toolChoice = toolChoiceOf(body, chosenTool, 'tool');
  const task = taskOf(body, pointer, options.limits);
  const repeated = repeatedOf(body, shown, task);
  checkRepeated(repeated, options.limits.bodyBytes);
  return {
    model,
    isStream: booleanOf(body, 'stream'),
    pointer,
    task,
    tools: clientToolsOf(own),
    ...(toolChoice !== undefined && { toolChoice }),
    repeated,
  };
}

/** The content blocks of the request's messages that are read. */
export function blocksOfTask(task: ResponseTask): readonly ContentBlock[] {
  if (task.type === 'resume') return [];
  if (task.type === 'start') return task.content;
  return blocksIn(task.messages);
}

function pointerIn(body: RawBody): ConversationPointer {
  const previousResponseId = stringOf(body, 'previous_response_id');
  const given = body['conversation'] ?? undefined;
  const conversation = isJsonObject(given) ? given['id'] : given;
  if (conversation !== undefined && typeof conversation !== 'string') {
    throw wrong('conversation', "a session's id");
  }
  return defined({ previousResponseId, conversation });
}

function taskOf(
  body: RawBody,
  { previousResponseId, conversation }: ConversationPointer,
  limits: ReadingOptions['limits'],
): ResponseTask {
  const items = itemsOf(body, limits.historyMessages);
  const settings = settingsOf(body);
  const maxTokens = maxTokensOf(body, 'max_output_tokens');
  const instructions = stringOf(body, 'instructions');
  const isPointed = previousResponseId !== undefined || conversation !== undefined;
  const isStored = booleanOf({ store: body['store'] ?? true }, 'store');
  if (!isStored && isPointed) {
    throw invalid('store', 'a stored conversation cannot be continued without storing');
  }
  if (!isStored || (!isPointed && !items.every(isAsked))) {
    const messages = messagesOf(items, instructions, limits.attachments);
    return { type: 'complete', messages, settings, ...defined({ maxTokens }) };
  }
  if (settings.responseFormat !== undefined) {
    throw unsupported('parameter', 'text.format', "is supported only with 'store: false'");
  }
  return storedTaskOf(items, instructions, limits);
}

function storedTaskOf(
  items: readonly InputItem[],
  instructions: string | undefined,
  limits: ReadingOptions['limits'],
): ResponseTask {
  const actions = answersOf(items);
  // Items before an answer are stored in the session already.
  const asked = items.slice(items.findLastIndex((item) => !isAsked(item)) + 1);
  const said = asked.filter(({ role }) => role === 'user');
  if (actions.length > 0) {
    if (said.length === 0) return { type: 'resume', actions };
    const at = said[0]?.at ?? 'input';
    throw new OpenAiRequestError(
      `'${at}': send the outputs and approvals first, and the message with the next request.`,
      at,
    );
  }
  const environmentContext = factsOf(asked, instructions, limits.bodyBytes);
  const content = said.flatMap(({ fields, at }) =>
    contentOf(fields['content'], at === 'input' ? at : `${at}.content`, limits.attachments),
  );
  if (content.length === 0 || content.some(isBlank)) {
    throw wrong('input', 'a message of the user at its end, with texts that are not empty');
  }
  return { type: 'start', content, environmentContext };
}

function isBlank(block: UserContent): boolean {
  return block.type === 'text' && block.text.trim() === '';
}

/** The client's system texts. They are stored with the run, so they have the limit of such bodies. */
function factsOf(
  asked: readonly InputItem[],
  instructions: string | undefined,
  most: number,
): readonly string[] {
  const systemTexts = asked
    .filter(({ role }) => role !== 'user')
    .map(({ fields, at }) => textOf(fields['content'], `${at}.content`));
  const facts = [instructions ?? '', ...systemTexts].filter((text) => text !== '');
  const chars = facts.reduce((sum, { length }) => sum + length, 0);
  if (chars <= most && facts.length <= MOST_FACTS) return facts;
  throw wrong('instructions', `at most ${MOST_FACTS} system texts of ${most} characters together`);
}

const MOST_FACTS = 100;

function repeatedOf(
  body: RawBody,
  tools: readonly object[],
  task: ResponseTask,
): ResponseRequest['repeated'] {
  const isKept = task.type === 'complete';
  const settings = isKept ? task.settings : {};
  const { responseFormat, verbosity, reasoningEffort } = settings;
  return {
    previous_response_id: body['previous_response_id'] ?? null,
    instructions: body['instructions'] ?? null,
    metadata: isJsonObject(body['metadata']) ? body['metadata'] : {},
    store: !isKept,
    tools,
    tool_choice: body['tool_choice'] ?? 'auto',
    temperature: settings.temperature ?? 1,
    top_p: settings.topP ?? 1,
    presence_penalty: settings.presencePenalty ?? 0,
    frequency_penalty: settings.frequencyPenalty ?? 0,
    max_output_tokens: (isKept ? task.maxTokens : undefined) ?? null,
    text: { format: responseFormat ?? { type: 'text' }, ...(verbosity && { verbosity }) },
    reasoning: { effort: reasoningEffort ?? null, summary: null },
  };
}

/** A stream repeats them three times. */
function checkRepeated(repeated: ResponseRequest['repeated'], most: number): void {
  if (JSON.stringify(repeated).length <= most) return;
  throw new OpenAiRequestError(
    `'instructions', 'metadata', 'tools' and 'tool_choice' must have at most ${most} characters together.`,
    'metadata',
  );
}
