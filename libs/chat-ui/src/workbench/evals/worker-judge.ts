import type { EvalTurn } from '../../../../agent/src/evals/cases';
import {
  type Found,
  type Judge,
  judged,
  type Judgement,
  JUDGEMENT_MS,
  undecided,
} from '../../../../agent/src/evals/runner';

/** The script of the page, which is its own worker: a policy of `script-src 'self'` lets it be. */
const SCRIPT =
  typeof document === 'undefined'
    ? ''
    : ((document.currentScript as HTMLScriptElement | null)?.src ?? '');

/** Whether this script runs as a worker. */
export const isWorker = typeof document === 'undefined' && typeof postMessage === 'function';

/** Makes this worker a judge. */
export function judgeInWorker(): void {
  addEventListener('message', ({ data }: MessageEvent<[EvalTurn, Found]>) => {
    postMessage(judged(...data));
  });
  postMessage('ready');
}

/**
 * Judges in a worker, which is terminated if a case's regular expression takes too long: nothing could
 * stop it in the page itself.
 */
export class WorkerJudge {
  private worker: Promise<Worker> | undefined;
  private before: Promise<unknown> = Promise.resolve();

  /** @param noWorker the problem of a turn that no worker judges */
  constructor(private readonly noWorker: string) {}

  /** One judgement after the other, so that a slow one takes no other with it. */
  readonly judge: Judge = (turn, found) => {
    const mine = this.before.then(() => this.ask(turn, found));
    this.before = mine;
    return mine;
  };

  close(): void {
    void this.worker?.then((worker) => worker.terminate());
    this.worker = undefined;
  }

  private async ask(turn: EvalTurn, found: Found): Promise<Judgement> {
    let worker: Worker;
    try {
      worker = await (this.worker ??= started());
    } catch {
      this.worker = undefined;
      return { problems: [this.noWorker], expected: found.calls.map(() => false) };
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.close();
        resolve(undecided(found));
      }, JUDGEMENT_MS);
      worker.onmessage = ({ data }: MessageEvent<Judgement>) => {
        clearTimeout(timer);
        resolve(data);
      };
      worker.postMessage([turn, found]);
    });
  }
}

function started(): Promise<Worker> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(SCRIPT);
    worker.onmessage = () => resolve(worker);
    worker.onerror = reject;
  });
}
