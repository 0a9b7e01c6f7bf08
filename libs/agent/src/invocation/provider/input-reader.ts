import type { JsonValue } from '../../message';
import { standardSchemaOf, toInstance } from '../../schema';

/** Converts one checked argument to the method's type. */
export class InputReader {
  constructor(
    /**
     * A class, a primitive's constructor, an array with one of them, a Standard Schema, or nothing.
     */
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
   * The value of an argument after its pipes. Pipes get the model's value, as in a route, so that a
   * transforming `ValidationPipe` does not transform twice. If no pipe created an instance, the
   * method gets the one created here.
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
