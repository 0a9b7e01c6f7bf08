import { SchemaValidator } from '../schema';
import { AgentError, type Tool } from '../tool';
import { jsonValueOf } from './json-text';
import { isReadyContent } from './result-content';

/** A tool's answer does not fit the schema it declares. */
export class OutputMismatchError extends AgentError {
  constructor(
    name: string,
    /** For the log: the values named here are no business of the model's. */
    readonly problems: string,
  ) {
    super('invalid_output', `The tool "${name}" answered something else than it promises.`);
  }
}

/** Checks answers against their tool's `output_schema`, where there is one. */
export class OutputCheck {
  private readonly validators = new WeakMap<Tool, SchemaValidator>();

  /** @throws OutputMismatchError */
  assert(tool: Tool, value: unknown): void {
    const schema = tool.definition.output_schema;
    if (schema === undefined || isReadyContent(value)) return;
    let validator = this.validators.get(tool);
    if (validator === undefined) {
      validator = new SchemaValidator(schema);
      this.validators.set(tool, validator);
    }
    const issues = validator.check(jsonValueOf(value));
    if (issues.length === 0) return;
    const problems = issues.map(({ path, message }) => `${path || '(root)'} ${message}`).join('; ');
    throw new OutputMismatchError(tool.definition.name, problems);
  }
}
