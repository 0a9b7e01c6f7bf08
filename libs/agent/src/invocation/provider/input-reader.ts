import type { JsonValue } from '../../message';
import { standardSchemaOf, toInstance } from '../../schema';

/** Makes of one checked argument what the method wants. */
export class InputReader {
  constructor(
    /** A class, a primitive's constructor, a list of one, a Standard Schema, or nothing. */
    private readonly type: unknown,
    private readonly groups: readonly string[],
    /** JSON pointer to the argument, for messages. */
    private readonly path: string,
  ) {}

  /** @throws InvalidArgumentsError with pointers */
  read(value: unknown): Promise<unknown> {
    if (this.type === undefined) return Promise.resolve(value);
    return toInstance(this.type, value, { groups: this.groups, path: this.path });
  }

  /**
   * What the method gets for an argument that went through pipes. Pipes are shown what the model
   * sent, as a route's are, so that a transforming `ValidationPipe` does not transform twice; where
   * none of them made an instance, the method gets the one that was made here.
   */
  afterPipes(sent: JsonValue | undefined, piped: unknown, read: unknown): Promise<unknown> {
    if (piped === sent) return Promise.resolve(read);
    return this.isClass() && isPlainObject(piped) && isPlainObject(sent)
      ? this.read(piped)
      : Promise.resolve(piped);
  }

  private isClass(): boolean {
    return typeof this.type === 'function' && standardSchemaOf(this.type) === undefined;
  }
}

function isPlainObject(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
