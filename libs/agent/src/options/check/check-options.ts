import type { AgentModuleAsyncOptions, AgentModuleStaticOptions } from '../module-options';
import {
  aClass,
  aFunction,
  anything,
  listOf,
  type OptionCheck,
  type OptionChecks,
  optionsOf,
  problemsOf,
} from '../../checks';
import { InvalidOptionsError } from '../../tool';
import { AGENT_CHECKS, FEATURE_CHECKS, FEATURE_STATIC_CHECKS, STATIC_CHECKS } from './option-table';

/** The sources of options for `forRootAsync` and `forFeatureAsync`. */
const SOURCES = { useFactory: aFunction, useClass: aClass, useExisting: aClass };

const ASYNC_CHECKS: OptionChecks<Omit<AgentModuleAsyncOptions, keyof AgentModuleStaticOptions>> = {
  ...SOURCES,
  inject: listOf(anything),
};

type Checks = OptionChecks<Readonly<Record<string, unknown>>>;

/** Checks the options of one of the module's methods. Each check throws an InvalidOptionsError. */
class MethodChecks {
  private readonly whole: OptionCheck;
  private readonly async: OptionCheck;
  private readonly answer: OptionCheck;

  /**
   * @param method for messages
   * @param beside the options that stand beside a factory
   * @param answer the options that a factory may return
   * @param required the names of the required options
   */
  constructor(
    private readonly method: string,
    private readonly beside: Checks,
    answer: Checks,
    private readonly required: readonly string[] = [],
  ) {
    this.whole = optionsOf({ ...beside, ...answer });
    this.async = optionsOf({ ...beside, ...ASYNC_CHECKS });
    this.answer = optionsOf(answer);
  }

  /** Checks the options of `forRoot` or `forFeature`. */
  check(options: object): void {
    this.refuse(problemsOf(this.whole, options, 'options'));
    this.checkRequired(options);
  }

  /** Checks the options beside a factory. */
  checkAsync(options: Partial<Record<keyof typeof ASYNC_CHECKS, unknown>>): void {
    this.refuse(problemsOf(this.async, options, 'options'));
    this.checkRequired(options);
    const given = Object.keys(SOURCES).filter((name) => options[name as 'useFactory']);
    if (given.length === 0) {
      this.refuse(['options needs one of useFactory, useClass and useExisting']);
    }
    if (given.length > 1) this.refuse([`options has ${given.join(' and ')}; keep one of them`]);
    if (options.inject && !options.useFactory) {
      this.refuse([
        `options.inject is for useFactory alone; the class of ${given[0]} asks in its constructor`,
      ]);
    }
  }

  /** Checks the result of a factory. */
  checkAnswer(answer: unknown, source: string): void {
    const misplaced = Object.keys(this.beside).filter((key) => key in Object(answer));
    this.refuse(misplaced.map((key) => `${key} belongs beside ${source}, which has answered it`));
    this.refuse(problemsOf(this.answer, answer, `the answer of ${source}`));
  }

  private checkRequired(options: object): void {
    const given = options as Readonly<Record<string, unknown>>;
    const missing = this.required.filter((name) => given[name] === undefined);
    this.refuse(missing.map((name) => `options.${name} is missing`));
  }

  private refuse(problems: readonly string[]): void {
    if (problems.length > 0) throw new InvalidOptionsError(problems, this.method);
  }
}

/** Of `forRoot` and `forRootAsync`. */
export const ROOT_CHECKS = new MethodChecks('AgentModule', STATIC_CHECKS, AGENT_CHECKS);
/** Of `forFeature` and `forFeatureAsync`. */
export const AGENT_FEATURE_CHECKS = new MethodChecks(
  'AgentModule.forFeature',
  FEATURE_STATIC_CHECKS,
  FEATURE_CHECKS,
  ['name'],
);
