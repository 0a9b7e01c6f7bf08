import type { JsonObject, JsonValue } from '../../message';
import { SchemaValidator } from '../../schema';
import { type ArgumentIssue, InvalidArgumentsError } from '../../tool';
import type { ArgumentPlan, MethodPlan } from './parameter-plan';

/** One argument that the model sent, or the schema's default for it. */
interface BoundArgument {
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

  /** The arguments as the method gets them, before they are typed. */
  normalize(input: JsonObject): JsonObject {
    return this.completed(this.validator.given(input));
  }

  /** @throws InvalidArgumentsError listing every problem */
  async bind(input: JsonObject): Promise<BoundArguments> {
    const given = this.completed(this.validator.accept(input));
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

  /** The input with the schema's defaults in the place of what was left out. */
  private completed(input: JsonObject): JsonObject {
    let completed: Record<string, JsonValue> | undefined;
    for (const { name, byDefault } of this.plans) {
      if (name === undefined || byDefault === undefined || Object.hasOwn(input, name)) continue;
      completed ??= { ...input };
      completed[name] = structuredClone(byDefault);
    }
    return completed ?? input;
  }
}

function sentFor({ name }: ArgumentPlan, input: JsonObject): JsonValue | undefined {
  if (name === undefined) return input;
  return Object.hasOwn(input, name) ? input[name] : undefined;
}
