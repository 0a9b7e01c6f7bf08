import { Logger } from '@nestjs/common';
import { resultText } from '../../message';
import { type Tool, AgentError } from '../../tool';
import {
  CallInterruptedError,
  toolFailureOf,
  inspectable,
  isUnexpected,
  RefusedCallError,
  type Settlement,
  type ToolDefaults,
  jsonValueOf,
} from '../call';
import { resultContentOf, isReadyContent } from './result-content';
import { limitContent } from './result-limit';
import { printable, thrownText } from '../../internal';
import { SchemaValidator } from '../../schema';

/** Checks results against their tool's `output_schema`. */
class OutputCheck {
  private readonly logger = new Logger('ToolExecution');
  /** `undefined` after a derived schema was found to be wrong. */
  private readonly validators = new WeakMap<Tool, SchemaValidator | undefined>();

  /**
   * Logs a result that does not match. It is an error only if the tool declares its output itself
   * and only reads: a model repeats a write that is reported as failed.
   *
   * @throws AgentError `invalid_output` for such an error
   */
  assert(tool: Tool, value: unknown): void {
    if (isReadyContent(value)) return;
    const issues = this.validatorOf(tool)?.check(jsonValueOf(value)) ?? [];
    if (issues.length === 0) return;
    // Only for the log: the model must not read these values. They contain names from the result.
    const problems = printable(
      issues.map(({ path, message }) => `${path || '(root)'} ${message}`).join('; '),
    );
    if (tool.isOutputDerived === true) {
      this.validators.set(tool, undefined);
      this.logger.warn(
        `${tool.source}: a result differs from its documented type, which is let through: ${problems}. (Logged once.)`,
      );
      return;
    }
    this.logger.error(`${tool.source}: the result does not fit its schema: ${problems}`);
    if (!tool.traits.readOnly) return;
    throw new AgentError(
      'invalid_output',
      `The tool "${tool.definition.name}" returned a result that does not match its schema.`,
    );
  }

  private validatorOf(tool: Tool): SchemaValidator | undefined {
    if (this.validators.has(tool)) return this.validators.get(tool);
    const { output_schema: schema } = tool.definition;
    const validator = schema && new SchemaValidator(schema);
    this.validators.set(tool, validator);
    return validator;
  }
}

/** Converts a tool's result or error to a settlement. */
export class ResultConverter {
  private readonly logger = new Logger('ToolExecution');
  private readonly outputs = new OutputCheck();

  constructor(private readonly defaults: Pick<ToolDefaults, 'maxResultChars'>) {}

  /**
   * The settlement of a result. A returned error counts as thrown.
   *
   * @param tool missing if it is unknown
   * @throws AgentError `invalid_output` if a read-only tool's result does not match
   */
  answered(tool: Tool | undefined, result: unknown): Settlement {
    if (result instanceof Error) return this.threw(result, tool?.source);
    if (tool !== undefined) this.outputs.assert(tool, result);
    const { content: whole, isError } = resultContentOf(result, tool?.traits.readOnly);
    const content = limitContent(whole, tool?.maxResultChars ?? this.defaults.maxResultChars);
    if (!isError) return { status: 'executed', content, result };
    const error = { code: 'tool_error', message: resultText(content) };
    return { status: 'failed', content, result, error };
  }

  /** The settlement of an error. Errors without a message for the model are logged. */
  threw(thrown: unknown, source = 'A tool call'): Settlement {
    const error = inspectable(thrown);
    if (isUnexpected(error)) this.logger.error(`${source} failed.`, thrownText(error));
    const failure = toolFailureOf(error);
    return { status: statusOf(error), content: failure.message, error: failure };
  }
}

function statusOf(error: unknown): Settlement['status'] {
  if (error instanceof CallInterruptedError) return 'interrupted';
  return error instanceof RefusedCallError ? error.status : 'failed';
}
