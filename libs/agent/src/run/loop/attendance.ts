import { LONGEST_TIMER_MS } from '../../internal';

/** Who of this process reads a run's events, besides the client that began it. */
export class Attendance {
  private readers = 0;

  get isAttended(): boolean {
    return this.readers > 0;
  }

  /** Counts a reader until what it returns is called, once or more. */
  enter(): () => void {
    this.readers += 1;
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      this.readers -= 1;
    };
  }
}

/**
 * Calls back once nobody attends, after a while and then each time that it has passed.
 *
 * @returns what ends that
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
