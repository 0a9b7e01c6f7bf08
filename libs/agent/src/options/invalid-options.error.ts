import { AgentError } from '../tool';

/** Stops the boot: an option is unknown or cannot have its value. The message names each one. */
export class InvalidOptionsError extends AgentError {
  /** @internal */
  constructor(problems: readonly string[]) {
    super('invalid_options', `AgentModule cannot start: ${problems.join('; ')}.`);
  }
}
