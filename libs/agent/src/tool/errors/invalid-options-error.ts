import { AgentError } from './agent-error';

/** Stops the boot: an option is unknown or cannot have its value. The message names each one. */
export class InvalidOptionsError extends AgentError {
  /** @internal */
  constructor(problems: readonly string[], module = 'AgentModule') {
    super('invalid_options', `${module} cannot start: ${problems.join('; ')}.`);
  }
}
