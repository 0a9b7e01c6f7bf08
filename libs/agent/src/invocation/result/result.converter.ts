import { Logger } from '@nestjs/common';
import { resultText } from '../../message';
import type { Tool } from '../../tool';
import {
  CallInterruptedError,
  toolFailureOf,
  inspectable,
  isUnexpected,
  RefusedCallError,
  type Settlement,
  type ToolDefaults,
} from '../call';
import { OutputCheck } from './output-check';
import { resultContentOf } from './result-content';
import { limitContent } from './result-limit';
import { thrownText } from '../../internal';

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
