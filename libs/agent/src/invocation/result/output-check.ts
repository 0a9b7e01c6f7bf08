import { Logger } from '@nestjs/common';
import { SchemaValidator } from '../../schema';
import { AgentError, type Tool } from '../../tool';
import { jsonValueOf } from '../call';
import { isReadyContent } from './result-content';

/** A tool's answer does not fit the schema that it declares. */
export class OutputMismatchError extends AgentError {
  constructor(name: string) {
    super('invalid_output', `The tool "${name}" answered something else than it promises.`);
  }
}

/** Holds answers against their tool's `output_schema`, where there is one. */
export class OutputCheck {
  private readonly logger = new Logger('ToolExecution');
  /** `undefined` once a derived schema was found to be wrong: it has nothing more to say. */
  private readonly validators = new WeakMap<Tool, SchemaValidator | undefined>();

  /**
   * An answer that does not fit is told to the developer. It is an error only where the tool itself
   * declares its output and changed nothing: who hears of a write that it failed makes it again.
   *
   * @throws OutputMismatchError
   */
  assert(tool: Tool, value: unknown): void {
    if (isReadyContent(value)) return;
    const issues = this.validatorOf(tool)?.check(jsonValueOf(value)) ?? [];
    if (issues.length === 0) return;
    // For the log alone: the values named here are no business of the model's.
    const problems = issues.map(({ path, message }) => `${path || '(root)'} ${message}`).join('; ');
    if (tool.isOutputDerived === true) {
      this.validators.set(tool, undefined);
      this.logger.warn(
        `${tool.source}: a result differs from its documented type, which is let through: ${problems}. (Logged once.)`,
      );
      return;
    }
    this.logger.error(`${tool.source}: the result does not fit its schema: ${problems}`);
    if (tool.traits.readOnly) throw new OutputMismatchError(tool.definition.name);
  }

  private validatorOf(tool: Tool): SchemaValidator | undefined {
    if (this.validators.has(tool)) return this.validators.get(tool);
    const { output_schema: schema } = tool.definition;
    const validator = schema && new SchemaValidator(schema);
    this.validators.set(tool, validator);
    return validator;
  }
}
