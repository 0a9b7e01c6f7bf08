import type { JsonObject, JsonValue } from '../../message';
import { SchemaValidator } from '../../schema';
import { type ArgumentIssue, InvalidArgumentsError } from '../../tool';
import type { ArgumentPlan, MethodPlan } from './parameter-plan';

/** One argument that the model sent, or the schema's default for it. */
export interface BoundArgument {
  readonly sent: JsonValue;
  /** Typed, as the method wants it. */
  readonly value: unknown;
}

/** The model's arguments by the parameters they are for; what it left out has no entry. */
export type BoundArguments = ReadonlyMap<ArgumentPlan, BoundArgument>;

/** Checks a call's arguments and makes typed values of them. */
export class ArgumentBinder {
  private readonly validator: SchemaValidator;
  private readonly plans: readonly ArgumentPlan[];

  constructor({ parameters, inputSchema }: MethodPlan) {
    this.validator = new SchemaValidator(inputSchema);
    this.plans = parameters.filter((parameter) => parameter.kind === 'argument');
  }

  /** @throws InvalidArgumentsError listing every problem */
  async bind(input: JsonObject): Promise<BoundArguments> {
    const given = this.validator.accept(input);
    const bound = new Map<ArgumentPlan, BoundArgument>();
    const problems: ArgumentIssue[] = [];
    for (const plan of this.plans) {
      const sent = sentFor(plan, given);
      if (sent === undefined) continue;
      try {
        bound.set(plan, { sent, value: await plan.reader.read(sent) });
      } catch (error) {
        if (!(error instanceof InvalidArgumentsError)) throw error;
        problems.push(...error.issues);
      }
    }
    if (problems.length > 0) throw new InvalidArgumentsError(problems);
    return bound;
  }
}

function sentFor({ name, byDefault }: ArgumentPlan, input: JsonObject): JsonValue | undefined {
  if (name === undefined) return input;
  if (Object.hasOwn(input, name)) return input[name];
  return byDefault === undefined ? undefined : structuredClone(byDefault);
}
