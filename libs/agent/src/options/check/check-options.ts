import type { AgentOptions } from '../agent-options';
import type {
  AgentFeatureOptions,
  AgentModuleFeatureAsyncOptions,
  AgentModuleFeatureOptions,
} from '../feature-options';
import type { AgentModuleAsyncOptions, AgentModuleOptions } from '../module-options';
import {
  aClass,
  aFunction,
  anything,
  listOf,
  type OptionCheck,
  optionsOf,
  problemsOf,
} from '../../checks';
import { InvalidOptionsError } from '../../tool';
import { AGENT_CHECKS, FEATURE_CHECKS, FEATURE_STATIC_CHECKS, STATIC_CHECKS } from './option-table';

/** The sources of options for `forRootAsync` and `forFeatureAsync`. */
const SOURCES = { useFactory: aFunction, useClass: aClass, useExisting: aClass };

const sourceChecks = { ...SOURCES, inject: listOf(anything) };

/** The checks of one of the module's methods. */
interface Checked {
  /** The options of the module's method. */
  readonly whole: OptionCheck;
  /** Those of its variant with a factory. */
  readonly async: OptionCheck;
  /** The options that a factory may return. */
  readonly answer: OptionCheck;
  /** The names of the options beside a factory. */
  readonly besides: readonly string[];
  /** The names of the required options. */
  readonly required: readonly string[];
  /** The method, for messages. */
  readonly method: string;
}

const ROOT: Checked = {
  whole: optionsOf<AgentModuleOptions>({ ...STATIC_CHECKS, ...AGENT_CHECKS }),
  async: optionsOf<AgentModuleAsyncOptions>({ ...STATIC_CHECKS, ...sourceChecks }),
  answer: optionsOf<AgentOptions>(AGENT_CHECKS),
  besides: Object.keys(STATIC_CHECKS),
  required: [],
  method: 'AgentModule',
};
const FEATURE: Checked = {
  whole: optionsOf<AgentModuleFeatureOptions>({ ...FEATURE_STATIC_CHECKS, ...FEATURE_CHECKS }),
  async: optionsOf<AgentModuleFeatureAsyncOptions>({ ...FEATURE_STATIC_CHECKS, ...sourceChecks }),
  answer: optionsOf<AgentFeatureOptions>(FEATURE_CHECKS),
  besides: Object.keys(FEATURE_STATIC_CHECKS),
  required: ['name'],
  method: 'AgentModule.forFeature',
};

/** Checks the options of one of the module's methods. Each check throws an InvalidOptionsError. */
class MethodChecks {
  constructor(private readonly checked: Checked) {}

  /** Checks the options of `forRoot` or `forFeature`. */
  check(options: object): void {
    this.refuse(problemsOf(this.checked.whole, options, 'options'));
    this.checkRequired(options);
  }

  /** Checks the options beside a factory. */
  checkAsync(options: Partial<Record<keyof typeof sourceChecks, unknown>>): void {
    this.refuse(problemsOf(this.checked.async, options, 'options'));
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
    const misplaced = this.checked.besides.filter((key) => key in Object(answer));
    this.refuse(misplaced.map((key) => `${key} belongs beside ${source}, which has answered it`));
    this.refuse(problemsOf(this.checked.answer, answer, `the answer of ${source}`));
  }

  private checkRequired(options: object): void {
    const given = options as Readonly<Record<string, unknown>>;
    const missing = this.checked.required.filter((name) => given[name] === undefined);
    this.refuse(missing.map((name) => `options.${name} is missing`));
  }

  private refuse(problems: readonly string[]): void {
    if (problems.length > 0) throw new InvalidOptionsError(problems, this.checked.method);
  }
}

/** Of `forRoot` and `forRootAsync`. */
export const ROOT_CHECKS = new MethodChecks(ROOT);
/** Of `forFeature` and `forFeatureAsync`. */
export const AGENT_FEATURE_CHECKS = new MethodChecks(FEATURE);
