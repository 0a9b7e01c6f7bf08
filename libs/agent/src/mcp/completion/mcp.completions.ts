import { Injectable, Logger } from '@nestjs/common';
import type { CompletionContext, ToolParamOptions } from '../../decorators';
import { inTime, type MarkedTool, MarkedTools } from '../../invocation';
import { thrownText } from '../../internal';
import type { JsonObject } from '../../message';
import type { JsonSchema } from '../../tool';
import { callContextOf, propertyOf } from '../offers';
import { McpPrompts } from '../prompts';
import { invalidParams, type McpCaller } from '../protocol';
import { McpResources } from '../resources';
import { type CompletionRequest, completionRequestOf } from './completion-request';

/** The protocol's maximum. */
const MOST_VALUES = 100;

/** Suggests values while a person fills in a prompt or a template. */
@Injectable()
export class McpCompletions {
  private readonly logger = new Logger('McpCompletions');

  constructor(
    private readonly resources: McpResources,
    private readonly prompts: McpPrompts,
    private readonly tools: MarkedTools,
  ) {}

  /**
   * The values that match the typed text; none if the guards of the prompt or resource refuse the
   * caller.
   *
   * @param params those of `completion/complete`
   * @throws RpcError if they are invalid, or name an unknown prompt, resource or argument
   */
  async complete(params: JsonObject, caller: McpCaller): Promise<object> {
    const request = completionRequestOf(params);
    const { tool, params: options, method } = this.declared(request.ref);
    const { name, value } = request.argument;
    if (!(await this.tools.admits(tool, callContextOf(caller)))) return answer([]);
    const schema = propertyOf(tool.definition.input_schema, name);
    if (schema === undefined) throw invalidParams('There is no such argument to complete.');
    const { complete } = options.get(name) ?? {};
    return answer(
      complete === undefined
        ? enumValues(schema, value)
        : await this.suggested(complete, request, caller, `${method.source}, "${name}"`),
    );
  }

  private declared(ref: CompletionRequest['ref']): MarkedTool<object> {
    switch (ref.type) {
      case 'ref/prompt':
        return this.prompts.declared(ref.name);
      case 'ref/resource':
        return this.resources.declared(ref.uri);
    }
  }

  /**
   * No values after a failure: completion is a convenience, and its errors concern developers only.
   */
  private async suggested(
    complete: NonNullable<ToolParamOptions['complete']>,
    { argument, filled }: CompletionRequest,
    { principal, request, signal }: McpCaller,
    source: string,
  ): Promise<readonly string[]> {
    const context: CompletionContext = {
      ...(principal !== undefined && { principal }),
      request,
      arguments: filled,
      get: (token) => this.tools.provider(token),
    };
    try {
      const values: unknown = await inTime(complete(argument.value, context), signal);
      if (!Array.isArray(values)) throw new TypeError('It returned no list.');
      return values.filter((value) => typeof value === 'string');
    } catch (error) {
      if (!signal.aborted) this.logger.error(`Completion of ${source} failed.`, thrownText(error));
      return [];
    }
  }
}

function enumValues({ enum: values = [] }: JsonSchema, typed: string): readonly string[] {
  const start = typed.toLowerCase();
  return values
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
    .filter((value) => value.toLowerCase().startsWith(start));
}

function answer(values: readonly string[]): object {
  return {
    completion: {
      values: values.slice(0, MOST_VALUES),
      total: values.length,
      hasMore: values.length > MOST_VALUES,
    },
  };
}
