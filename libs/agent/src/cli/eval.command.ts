import type { INestApplication } from '@nestjs/common';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  type CallerHeaders,
  type EvalConfig,
  type EvalFile,
  type EvalSummary,
  evaluate,
  type EvaluatedApplication,
  readEvals,
} from '../evals';
import { getOrAdd, messageOf } from '../internal';
import type { ChatOptions } from '../run';
import { CommandError } from './command.error';
import type { EvalArguments } from './eval.arguments';
import { HttpAgent } from './http-agent';
import { loadConfig } from './load-config';
import { junitReport, TextReport } from './report';

/**
 * Starts the application on a port of its own, evaluates its agent over HTTP, and reports.
 *
 * @returns whether every case passed
 * @throws CommandError if it cannot run
 */
export async function evalCommand(given: EvalArguments): Promise<boolean> {
  const file = readEvals(given.file);
  const config = loadConfig(given.config);
  const callers = new Callers(config, file);
  const model = given.options.model ?? file.model;
  const prices = config.prices?.[model ?? 'default'];
  if (given.options.maxCost !== undefined && prices === undefined) {
    const name = model ?? 'default';
    throw new CommandError(`--max-cost needs prices: add prices.${name} to ${given.config}`);
  }
  const app = await created(config);
  const interrupted = new AbortController();
  const stop = (): void => interrupted.abort();
  process.once('SIGINT', stop);
  try {
    const url = await address(app);
    const hasColours = process.stdout.isTTY && !process.env['NO_COLOR'];
    const report = new TextReport((text) => process.stdout.write(text), hasColours);
    const agent = new HttpAgent(`${url}/${(file.path ?? 'agent').replace(/^\/+|\/+$/g, '')}`);
    const summary = await evaluate(agent, file, {
      ...given.options,
      ...(prices && { prices }),
      caller: (name) => callers.named(name, { app, url }),
      signal: interrupted.signal,
      onCase: (result) => report.case(result),
    });
    report.end(summary);
    write(given, summary);
    return summary.passed;
  } finally {
    process.off('SIGINT', stop);
    await app.close();
  }
}

async function created(config: EvalConfig): Promise<INestApplication> {
  try {
    return await config.app();
  } catch (error) {
    throw new CommandError(`The application cannot be created: ${messageOf(error)}`);
  }
}

async function address(app: INestApplication): Promise<string> {
  const { listening } = app.getHttpServer() as { readonly listening?: boolean };
  if (!listening) await app.listen(0, '127.0.0.1');
  return (await app.getUrl()).replace(/\/+$/, '');
}

/** The callers of the configuration. Each logs in once. */
class Callers {
  private readonly headers = new Map<string, Promise<CallerHeaders>>();

  /** @throws CommandError for a name that is not in the configuration */
  constructor(
    private readonly config: EvalConfig,
    { as, cases }: EvalFile,
  ) {
    const known = Object.keys(config.callers ?? {});
    for (const name of [as, ...cases.map((each) => each.as)]) {
      if (name === undefined || known.includes(name)) continue;
      const names = known.length === 0 ? 'it has none' : `there are ${known.join(', ')}`;
      throw new CommandError(`There is no caller "${name}" in the configuration; ${names}.`);
    }
  }

  async named(name: string | undefined, target: EvaluatedApplication): Promise<ChatOptions> {
    if (name === undefined) return {};
    const headers = await getOrAdd(this.headers, name, () => this.login(name, target));
    return { request: { headers } };
  }

  private async login(name: string, target: EvaluatedApplication): Promise<CallerHeaders> {
    const caller = this.config.callers?.[name] ?? {};
    if (typeof caller !== 'function') return caller;
    try {
      return await caller(target);
    } catch (error) {
      throw new Error(`The caller "${name}" cannot log in: ${messageOf(error)}`, { cause: error });
    }
  }
}

function write({ file, json, junit }: EvalArguments, summary: EvalSummary): void {
  if (json !== undefined) save(json, `${JSON.stringify({ file, ...summary }, null, 2)}\n`);
  if (junit !== undefined) save(junit, junitReport(file, summary));
}

function save(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  } catch (error) {
    throw new CommandError(`${path} cannot be written: ${messageOf(error)}`);
  }
}
