import type { ChatModel, ModelRequest, ModelSettings, ToolChoice } from '../../model';
import type { Message } from '../../message';
import type { Tool } from '../../tool';
import { promptFor, type RunContext } from '../context';
import { composeSystemPrompt, readable } from '../request';
import type { LoopServices } from './loop-services';

/** A run's model, prompt and settings. */
export interface LoopRequest {
  readonly model: ChatModel;
  /** The application's own prompt, already resolved. */
  readonly systemPrompt: string;
  readonly environmentContext?: readonly string[] | undefined;
  /** Applies to the first step. */
  readonly toolChoice?: ToolChoice | undefined;
  /** The client's limit; it may lower the application's, never raise it. */
  readonly maxTokens?: number | undefined;
  readonly settings?: ModelSettings | undefined;
}

/** The request of a stored run that continues. @param toolChoice of a run without steps yet */
export async function storedRequest(
  run: RunContext,
  { models, options }: LoopServices,
  toolChoice?: ToolChoice,
): Promise<LoopRequest> {
  const { model: name, environmentContext, modelOptions: settings } = run.journal.state.run ?? {};
  const model = models.named(name);
  const systemPrompt = await promptFor(run, options.systemPrompt);
  return { model, systemPrompt, environmentContext, settings, toolChoice };
}

/** The parts that all requests of one step share. */
interface Surroundings extends Omit<LoopRequest, 'model'> {
  readonly tools: readonly Tool[];
  /** The number of earlier steps. */
  readonly steps: number;
  readonly limits: { readonly maxTokens: number; readonly maxSteps: number };
}

/** A request without its messages. */
export function surroundingsOf(of: Surroundings): Omit<ModelRequest, 'messages'> {
  const { systemPrompt, environmentContext, tools, toolChoice, settings, steps, limits } = of;
  const system = composeSystemPrompt(systemPrompt, tools, environmentContext);
  return {
    ...(system !== undefined && { system }),
    tools: tools.map(({ definition }) => definition),
    ...(toolChoice && { toolChoice }),
    maxTokens: Math.min(of.maxTokens ?? Infinity, limits.maxTokens),
    maxContinuations: limits.maxSteps - steps - 1,
    ...settings,
  };
}

/** The messages of a session for a model, without content that it cannot read. */
export function messagesFor(
  { capabilities }: Pick<ChatModel, 'capabilities'>,
  messages: readonly Message[],
): readonly Message[] {
  return messages.map((message) => {
    const content = readable(message.content, capabilities);
    return content === message.content ? message : { ...message, content };
  });
}
