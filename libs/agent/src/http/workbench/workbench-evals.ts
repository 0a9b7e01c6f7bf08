import { basename } from 'node:path';
import type { EvalFile } from '../../evals';
import { defined } from '../../internal';
import type { InspectedModel, RunInspector } from '../../run';
import type { Caller } from '../caller';

/** The evaluations that a caller may run, and the models to run them on. */
export interface WorkbenchEvals {
  /** The name of the configured file; missing without one, as are the next two. */
  readonly file?: string;
  readonly evals?: EvalFile;
  /** The problems of the file. */
  readonly problems?: readonly string[];
  /** The caller's own id: cases may be written for others. */
  readonly principal?: string;
  readonly models: readonly InspectedModel[];
}

/** Reads the file of cases each time, because it is edited while the application runs. */
export class EvalCases {
  constructor(
    private readonly file: string | undefined,
    private readonly runs: RunInspector,
  ) {}

  list({ principal }: Caller): WorkbenchEvals {
    const read = this.file === undefined ? {} : contentsOf(this.file);
    return defined({ ...read, principal, models: this.runs.listModels() });
  }
}

function contentsOf(file: string): Pick<WorkbenchEvals, 'file' | 'evals' | 'problems'> {
  const { InvalidEvalsError, readEvals } = require('../../evals') as typeof import('../../evals');
  try {
    return { file: basename(file), evals: readEvals(file) };
  } catch (error) {
    if (error instanceof InvalidEvalsError)
      return { file: basename(file), problems: error.problems };
    throw error;
  }
}
