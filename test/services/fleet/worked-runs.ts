import type { Fleet } from './fleet';
import type { StreamedRun } from './streamed-run';

const USERS = ['ann', 'ben', 'cid'] as const;
const WORDS = 4;

/** Four steps of so many words each. */
function ordersOf(words: number): string {
  return `say ${words}, look; say ${words}, write; say ${words}, write; say ${words}`;
}

/** The text of such a run. */
function wholeOf(words: number): string {
  const said = Array.from({ length: words }, (_, word) => word);
  return [0, 1, 2, 3].flatMap((step) => said.map((word) => `${step}.${word} `)).join('');
}

let tags = 0;

/** Runs of several users, which read and write, and stream this number of words in each step. */
export class WorkedRuns {
  private constructor(
    private readonly fleet: Fleet,
    readonly tag: string,
    private readonly words: number,
    readonly runs: readonly StreamedRun[],
  ) {}

  /** @param more further orders, for each run */
  static async begin(
    fleet: Fleet,
    count: number,
    {
      words = WORDS,
      more = '',
      tag = newTag(),
    }: { words?: number; more?: string; tag?: string } = {},
  ): Promise<WorkedRuns> {
    const runs = await Promise.all(
      Array.from({ length: count }, (_, index) =>
        fleet.run(USERS[index % USERS.length] ?? '', `${tag}${index}: ${ordersOf(words)}${more}`),
      ),
    );
    return new WorkedRuns(fleet, tag, words, runs);
  }

  /** All completed, each event arrived once, no write began twice, and each ran as its own user. */
  async expectWhole(): Promise<void> {
    for (const { text, end } of await Promise.all(this.runs.map((run) => run.toItsEnd()))) {
      expect(end).toMatchObject({ status: 'completed' });
      expect(text).toBe(wholeOf(this.words));
    }
    this.expectOnce();
  }

  expectOnce(): void {
    const { fleet, tag } = this;
    const begun = fleet.of('writes', tag);
    const writes = begun.map((deed) => `${deed.tag} ${deed.step}`);
    expect(writes).toEqual([...new Set(writes)]);
    for (const deed of [...begun, ...fleet.of('looks', tag)]) {
      expect(deed.user).toBe(USERS[Number(deed.tag.split('-')[1]) % USERS.length]);
    }
  }
}

/** A message prefix that no other runs of this file have. */
export function newTag(): string {
  return `tag${(tags += 1)}-`;
}
