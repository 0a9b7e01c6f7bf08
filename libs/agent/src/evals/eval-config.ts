import type { INestApplication } from '@nestjs/common';
import type { TokenPrices } from '../message';

/**
 * The headers of a caller's requests, such as `authorization`.
 *
 * @experimental
 */
export type CallerHeaders = Readonly<Record<string, string>>;

/**
 * The application under evaluation. It listens on a port of this machine.
 *
 * @experimental
 */
export interface EvaluatedApplication {
  /** The application. */
  readonly app: INestApplication;
  /** Its address, without a slash at the end. */
  readonly url: string;
}

/**
 * The configuration of `nestjs-agent eval`: the default export of its module.
 *
 * @experimental
 * @example
 * import { NestFactory } from '@nestjs/core';
 * import type { EvalConfig } from 'nestjs-agent/evals';
 *
 * const config: EvalConfig = {
 *   app: () => NestFactory.create(OrdersModule, { logger: ['error'] }),
 *   callers: { ada: { authorization: 'Bearer token-of-ada' } },
 *   prices: { default: { input: 0.4, output: 1.6 } },
 * };
 */
export interface EvalConfig {
  /** Creates the application as the server does. The command listens, and closes it at the end. */
  readonly app: () => INestApplication | Promise<INestApplication>;
  /** The callers that cases name with `as`: their headers, or a function that logs in. */
  readonly callers?: Readonly<
    Record<
      string,
      CallerHeaders | ((target: EvaluatedApplication) => CallerHeaders | Promise<CallerHeaders>)
    >
  >;
  /** Prices by the names of `models`; `default` is for the module's `model`. */
  readonly prices?: Readonly<Record<string, TokenPrices>>;
}
