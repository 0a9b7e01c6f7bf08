import { LONGEST_TIMER_MS, once } from '../../internal';

/** Counts a run's readers in this process, besides the client that started it. */
export class Attendance {
  private readers = 0;

  get isAttended(): boolean {
    return this.readers > 0;
  }

  /** Counts a reader until the returned function is called. Idempotent. */
  enter(): () => void {
    this.readers += 1;
    return once(() => {
      this.readers -= 1;
    });
  }
}

/**
 * Checks for readers after every interval; calls back once there are none.
 *
 * @returns a function that stops the checks
 */
export function onceUnattended(
  graceMs: number,
  isAttended: () => Promise<boolean>,
  callback: () => void,
): () => void {
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    const attended = await isAttended();
    if (isOver) return;
    if (attended) wait();
    else callback();
  };
  const wait = (): void => {
    timer = setTimeout(() => void look(), Math.min(graceMs, LONGEST_TIMER_MS)).unref();
  };
  wait();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
