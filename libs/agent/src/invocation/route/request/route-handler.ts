import { Logger, type Type } from '@nestjs/common';
import { MetadataScanner } from '@nestjs/core';
import { RouteResponseError } from '../../../tool';
import type { Arrival } from '../../dispatch';

/** Misdirected Request: permanent, so not retried. */
export const MISDIRECTED = 421;

/** The handler of a route tool's calls. */
export class RouteHandler {
  private readonly logger = new Logger('Agent');
  private hasWarned = false;

  /**
   * @param methodName may be inherited: it is a different handler in each class
   * @param source for the log: `OrdersController.find`
   */
  constructor(
    private readonly host: Type<unknown>,
    private readonly methodName: string,
    private readonly source: string,
  ) {}

  /** @throws RouteResponseError if a call reached another handler; logs that one once */
  assertIs({ host, handler }: Arrival): void {
    if (host === this.host && this.isMethod(handler)) return;
    if (!this.hasWarned) {
      this.hasWarned = true;
      this.logger.warn(
        `A call of ${this.source} arrived at ${host.name}.${handler.name} and was stopped before anything ran. (Logged once.)`,
      );
    }
    throw new RouteResponseError(
      MISDIRECTED,
      'The call did not reach its handler, because its path leads to another route. Nothing was run.',
    );
  }

  private isMethod(handler: Arrival['handler']): boolean {
    const methods = this.host.prototype as Readonly<Record<string, object>>;
    if (handler === methods[this.methodName]) return true;
    // Instrumentation and binding wrap handlers; both keep the name.
    const name = handler.name.replace(/^(?:bound )+/, '');
    const names = new MetadataScanner().getAllMethodNames(methods);
    if (names.includes(name)) return name === this.methodName;
    // A replaced method may have no name, but its wrapper has the same metadata; the check is
    // undecidable if other methods share it.
    const alike = names.filter((one) => hasMetadataOf(handler, methods[one]));
    return alike.length === 1 && alike[0] === this.methodName;
  }
}

function hasMetadataOf(handler: object, method: object | undefined): boolean {
  const keys = (method ? Reflect.getMetadataKeys(method) : []) as unknown[];
  return (
    method !== undefined &&
    keys.length > 0 &&
    keys.every((key) => Reflect.getMetadata(key, handler) === Reflect.getMetadata(key, method))
  );
}
