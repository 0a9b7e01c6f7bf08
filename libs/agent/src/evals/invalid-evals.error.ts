import { AgentError } from '../tool';

/**
 * A file of evaluations, or an option of `evaluate`, is invalid; `problems` names every place.
 *
 * @experimental
 */
export class InvalidEvalsError extends AgentError {
  /** @internal */
  constructor(
    /** One text for each problem. */
    readonly problems: readonly string[],
  ) {
    super('invalid_evals', `The evaluation cannot start: ${problems.join('; ')}.`);
  }
}
