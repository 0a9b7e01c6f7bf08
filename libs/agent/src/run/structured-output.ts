import { Inject, Injectable } from '@nestjs/common';
import { isJsonObject, textMessage, textOf, type JsonValue, type Message } from '../message';
import {
  isStandardSchema,
  schemaOf,
  SchemaValidator,
  toInstance,
  type SchemaSource,
} from '../schema';
import { AgentError, InvalidArgumentsError, type ArgumentIssue, type JsonSchema } from '../tool';
import { newCallId } from './identifiers';
import { takeTurn } from './model-turn';
import { RunStarter } from './run-starter';
import { RUN_OPTIONS } from './run.constants';
import type { RunOptions } from './run-options';

/** What `AgentService.generate` makes something of. */
export interface GenerateInput<Schema extends SchemaSource = SchemaSource> {
  /** A DTO class, a JSON Schema or a Standard Schema. */
  readonly schema: Schema;
  readonly prompt: string;
  /** Replaces the module's `systemPrompt`, which `generate` does not use. */
  readonly system?: string;
  /** One of the names in the module's `models`. */
  readonly model?: string;
  readonly signal?: AbortSignal;
}

/** The model's answer did not fit the schema, at the second attempt neither. */
export class GenerationError extends AgentError {
  constructor(readonly issues: readonly ArgumentIssue[]) {
    super(
      'invalid_output',
      `The model's answer does not fit the schema: ${issues
        .map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
        .join('; ')}`,
    );
  }
}

/** Some providers want an object at the top: what is none is asked for under this key. */
const WRAPPER = 'value';

/** Asks a model for a value of a schema, checks it, and lets the model mend it once. */
@Injectable()
export class StructuredOutput {
  constructor(
    @Inject(RUN_OPTIONS) private readonly options: RunOptions,
    private readonly starter: RunStarter,
  ) {}

  async generate(input: GenerateInput): Promise<unknown> {
    const model = this.starter.modelNamed(input.model);
    const inner = schemaOf(input.schema);
    const isWrapped = inner.type !== 'object';
    const schema = isWrapped ? wrapped(inner) : inner;
    const validator = new SchemaValidator(schema);
    const messages: Message[] = [textMessage('user', input.prompt)];
    const signal = input.signal ?? new AbortController().signal;
    let issues: readonly ArgumentIssue[] = [];
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const turn = await takeTurn(
        model,
        {
          system: systemFor(schema, input.system),
          messages,
          tools: [],
          maxTokens: this.options.maxTokens,
          responseSchema: { name: 'answer', schema },
        },
        { signal, emit: () => undefined, claimCallId: newCallId },
      );
      if (turn.failure !== undefined) throw turn.failure;
      const text = textOf(turn);
      try {
        return await accept(text, validator, input.schema, isWrapped);
      } catch (error) {
        if (!(error instanceof InvalidArgumentsError)) throw error;
        issues = error.issues;
        messages.push(
          textMessage('assistant', text === '' ? '(nothing)' : text),
          textMessage('user', `${error.message}\nAnswer again, with the corrected JSON only.`),
        );
      }
    }
    throw new GenerationError(issues);
  }
}

async function accept(
  text: string,
  validator: SchemaValidator,
  source: SchemaSource,
  isWrapped: boolean,
): Promise<unknown> {
  const parsed = parse(text);
  const issues = validator.check(parsed);
  if (issues.length > 0) throw new InvalidArgumentsError(issues);
  const value = isWrapped && isJsonObject(parsed) ? parsed[WRAPPER] : parsed;
  return typeof source === 'function' || isStandardSchema(source)
    ? toInstance(source, value, {})
    : value;
}

/** The JSON of an answer, which some models put into a fenced block. */
function parse(text: string): JsonValue {
  const fenced = /^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/.exec(text);
  try {
    return JSON.parse(fenced?.[1] ?? text) as JsonValue;
  } catch {
    throw new InvalidArgumentsError([{ path: '', message: 'the answer is not JSON' }]);
  }
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
  const task = `Answer with JSON only, without any other text. It has to fit this JSON Schema:\n${JSON.stringify(schema)}`;
  return system === undefined ? task : `${system}\n\n${task}`;
}
