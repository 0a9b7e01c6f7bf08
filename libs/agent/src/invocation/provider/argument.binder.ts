import type { JsonObject, JsonValue } from '../../message';
import { SchemaValidator } from '../../schema';
import { type ArgumentIssue, InvalidArgumentsError } from '../../tool';
import type { ArgumentPlan, MethodPlan } from './parameter-plan';

/** One argument of the model, or its default. */
interface BoundArgument {
  readonly sent: JsonValue;
  /** The typed value for the method. */
  readonly value: unknown;
}

/** The model's arguments by parameter; omitted arguments have no entry. */
export type BoundArguments = ReadonlyMap<ArgumentPlan, BoundArgument>;

/** Checks a call's arguments and converts them to typed values. */
export class ArgumentBinder {
  private readonly validator: SchemaValidator;
  private readonly plans: readonly ArgumentPlan[];

  constructor({ parameters, inputSchema }: MethodPlan) {
    this.validator = new SchemaValidator(inputSchema);
    this.plans = parameters.filter((parameter) => parameter.kind === 'argument');
  }

  /** The arguments for the method, before conversion. */
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

  /** The input with the schema's defaults. */
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
