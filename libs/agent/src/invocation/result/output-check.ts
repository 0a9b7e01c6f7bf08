import { Logger } from '@nestjs/common';
import { SchemaValidator } from '../../schema';
import { AgentError, type Tool } from '../../tool';
import { jsonValueOf } from '../call';
import { isReadyContent } from './result-content';

/** Checks results against their tool's `output_schema`. */
export class OutputCheck {
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
    // Only for the log: the model must not read these values.
    const problems = issues.map(({ path, message }) => `${path || '(root)'} ${message}`).join('; ');
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
