import { isJsonObject, textMessage, textOf, type JsonValue, type Message } from '../../message';
import { askObserved } from '../../model';
import { lenientJsonIn } from '../../model/tool-calls';
import {
  isStandardSchema,
  schemaOf,
  SchemaValidator,
  toInstance,
  type SchemaSource,
  type StandardSchemaV1,
} from '../../schema';
import { AgentError, InvalidArgumentsError, type ArgumentIssue, type JsonSchema } from '../../tool';
import { newCallId } from '../request';
import { type LoopServices, takeTurn } from '../loop';

/**
 * The input of `AgentService.generate`.
 *
 * @typeParam Schema the schema's type, which determines the value's type
 */
export interface GenerateInput<Schema extends SchemaSource = SchemaSource> {
  /** A DTO class, a JSON Schema or a Standard Schema. */
  readonly schema: Schema;
  /** The prompt; the schema is added to it. */
  readonly prompt: string;
  /** The system prompt; empty by default. The module's `systemPrompt` is not used. */
  readonly system?: string;
  /** A name in the module's `models`; its `model` by default. */
  readonly model?: string;
  /** The principal whose usage this is; that of anonymous callers by default. */
  readonly principal?: string;
  /** Aborts the generation. */
  readonly signal?: AbortSignal;
}

/**
 * The type of a schema's values, if TypeScript can infer it.
 *
 * @typeParam Schema the schema's type
 */
export type Generated<Schema> = Schema extends abstract new (...args: never[]) => infer Instance
  ? Instance
  : Schema extends StandardSchemaV1<unknown, infer Output>
    ? Output
    : unknown;

/**
 * The model's second answer did not match the schema, or the model refused; `code` is
 * `invalid_output`.
 */
export class GenerationError extends AgentError {
  /** @internal */
  constructor(
    /** All problems of the last answer. */
    readonly issues: readonly ArgumentIssue[],
  ) {
    super('invalid_output', `The model's answer does not match the schema: ${listed(issues)}`);
  }
}

function listed(issues: readonly ArgumentIssue[]): string {
  return issues
    .map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
    .join('; ');
}

/** Some providers require an object: other schemas are wrapped in one with this key. */
const WRAPPER = 'value';

/** Asks a model for a value of a schema, checks it, and lets the model correct it once. */
export class StructuredOutput {
  constructor(private readonly services: LoopServices) {}

  async generate(input: GenerateInput): Promise<unknown> {
    const model = this.services.models.named(input.model);
    const inner = schemaOf(input.schema);
    const isWrapped = inner.type !== 'object';
    const schema = isWrapped ? wrapped(inner) : inner;
    const validator = new SchemaValidator(schema);
    const messages: Message[] = [textMessage('user', input.prompt)];
    const signal = input.signal ?? new AbortController().signal;
    const { options, quotas, usage, telemetry } = this.services;
    const { maxTokens } = options;
    let issues: readonly ArgumentIssue[] = [];
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await quotas.check(input.principal);
      const turn = await takeTurn(
        model,
        {
          system: systemFor(schema, input.system),
          messages,
          tools: [],
          maxTokens,
          responseFormat: { type: 'json_schema', name: 'answer', schema },
        },
        {
          signal,
          emit: () => undefined,
          claimCallId: newCallId,
          kindOf: () => 'function',
          ask: askObserved(model, telemetry, () => ({
            reason: 'generate',
            attempt: attempt + 1,
            isCompacted: false,
          })),
        },
      );
      usage.record(input.principal, [
        { agent: options.name, model: model.name, usage: turn.usage, runs: 0, toolCalls: 0 },
      ]);
      if (turn.failure !== undefined) throw turn.failure;
      if (turn.finishReason === 'refusal') {
        throw new GenerationError([{ path: '', message: 'the model refused to answer' }]);
      }
      const text = textOf(turn);
      try {
        return await accept(text, validator, input.schema, isWrapped);
      } catch (error) {
        if (!(error instanceof InvalidArgumentsError)) throw error;
        const isCut = turn.finishReason === 'max_tokens';
        issues = isCut ? [cutOff(maxTokens)] : error.issues;
        messages.push(
          textMessage('assistant', text.trim() === '' ? '(nothing)' : text),
          textMessage('user', mendingPrompt(issues, isCut)),
        );
      }
    }
    throw new GenerationError(issues);
  }
}

function cutOff(maxTokens: number): ArgumentIssue {
  return { path: '', message: `the answer was cut off after ${maxTokens} tokens` };
}

function mendingPrompt(issues: readonly ArgumentIssue[], isCut: boolean): string {
  return `That does not match the schema: ${listed(issues)}\nAnswer again, with the corrected${isCut ? ' and shorter' : ''} JSON only.`;
}

async function accept(
  text: string,
  validator: SchemaValidator,
  source: SchemaSource,
  isWrapped: boolean,
): Promise<unknown> {
  const parsed = validator.accept(parse(text));
  const value = isWrapped && isJsonObject(parsed) ? parsed[WRAPPER] : parsed;
  return typeof source === 'function' || isStandardSchema(source)
    ? toInstance(source, value, {})
    : value;
}

/** Parses the JSON of an answer, with repairs: some models write it into a fenced block. */
function parse(text: string): JsonValue {
  const value = lenientJsonIn(text);
  if (value !== undefined) return value as JsonValue;
  throw new InvalidArgumentsError([{ path: '', message: 'the answer is not JSON' }]);
}

function wrapped({ $defs, ...inner }: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: { [WRAPPER]: inner },
    required: [WRAPPER],
    additionalProperties: false,
    ...($defs && { $defs }),
  };
}

function systemFor(schema: JsonSchema, system: string | undefined): string {
  const task = `Answer with JSON only, without any other text. It must match this JSON Schema:\n${JSON.stringify(schema)}`;
  return system === undefined ? task : `${system}\n\n${task}`;
}
