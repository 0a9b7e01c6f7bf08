import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { shortened } from '../../internal';
import { type MarkedTool, MarkedTools } from '../../invocation';
import type { JsonObject } from '../../message';
import { assertScopes } from '../auth';
import type { McpPromptOptions } from '../decorators';
import {
  argumentsOf,
  assertDistinct,
  assertSize,
  type OfferParts,
  callContextOf,
  offerErrorOf,
} from '../offers';
import { invalidParams, type McpCaller, RPC, RpcError } from '../protocol';
import { DECLARED_PROMPTS, type DeclaredPrompt, type McpPromptEntry } from './declared-prompt';
import { type McpSentMessage, messagesOf } from './prompt-messages';

/** Maximum number of characters of a client's name in a message. */
const MAX_NAME_CHARS = 100;

/** The prompts of the application, listed and filled in for one caller. */
@Injectable()
export class McpPrompts implements OnModuleInit {
  private readonly logger = new Logger('McpPrompts');
  private readonly prompts = new Map<string, DeclaredPrompt>();

  constructor(private readonly tools: MarkedTools) {}

  /** @throws ToolDeclarationError listing every prompt that is declared wrongly */
  async onModuleInit(): Promise<void> {
    const declared = await this.tools.load(DECLARED_PROMPTS);
    assertDistinct('prompt', declared, ({ entry }) => [`the name "${entry.name}"`]);
    for (const prompt of declared) this.prompts.set(prompt.entry.name, prompt);
  }

  /** Whether there is no prompt. */
  get isEmpty(): boolean {
    return this.prompts.size === 0;
  }

  /** The prompts that this caller is offered. */
  async list(caller: McpCaller): Promise<readonly McpPromptEntry[]> {
    const prompts = [...this.prompts.values()];
    const offered = await this.tools.offered(prompts, callContextOf(caller));
    return offered.map(({ entry }) => entry);
  }

  /**
   * A prompt's messages.
   *
   * @param args the client's texts by argument; checked here
   * @throws RpcError if there is no such prompt for this caller, an argument is missing or wrong,
   *   or the method fails
   */
  async get(name: string, args: JsonObject, caller: McpCaller): Promise<object> {
    const { entry, marked } = this.find(name);
    const texts = textsOf(args);
    const { tool, method } = marked;
    const response = await this.tools.call(
      tool,
      argumentsOf(texts, tool.definition.input_schema),
      callContextOf(caller),
    );
    if (response.status === 'not_found') throw unknown(name);
    assertScopes(response, caller);
    if (response.status !== 'executed') throw offerErrorOf(response, 'prompt');
    const messages = messagesOf(response.result);
    if (messages === undefined) {
      this.logger.error(
        `${method.source} returned neither a text nor messages. Return a string, or a list of { role, content }.`,
      );
      throw new RpcError(RPC.internalError, 'The prompt failed with an unexpected error.');
    }
    assertSize(partsOf(messages), 'prompt');
    return {
      ...(entry.description !== undefined && { description: entry.description }),
      messages,
    };
  }

  /** The tool behind a prompt, for completion. @throws RpcError if there is none */
  declared(name: string): MarkedTool<McpPromptOptions> {
    return this.find(name).marked;
  }

  private find(name: string): DeclaredPrompt {
    const prompt = this.prompts.get(name);
    if (prompt === undefined) throw unknown(name);
    return prompt;
  }
}

/** @throws RpcError naming an argument that is not text */
function textsOf(args: JsonObject): Readonly<Record<string, string>> {
  const texts = Object.entries(args).map(([name, value]) => {
    if (typeof value === 'string') return [name, value] as const;
    throw invalidParams(`The argument "${shortened(name, MAX_NAME_CHARS)}" must be a string.`);
  });
  return Object.fromEntries(texts);
}

function partsOf(messages: readonly McpSentMessage[]): OfferParts {
  const texts: string[] = [];
  const files: string[] = [];
  for (const { content } of messages) {
    switch (content.type) {
      case 'text':
        texts.push(content.text);
        break;
      case 'image':
      case 'audio':
        files.push(content.data);
        break;
      case 'resource':
        files.push(content.resource.blob);
        break;
      case 'resource_link':
        texts.push(content.uri);
    }
  }
  return { texts, files };
}

function unknown(name: string): RpcError {
  return invalidParams(`Unknown prompt: ${shortened(name, MAX_NAME_CHARS)}`);
}
