import { Inbox } from './inbox';

const text = (word: string): string => JSON.stringify({ v: 1, type: 'text.delta', delta: word });

function told(after: number, ...messages: readonly string[]) {
  const inbox = new Inbox('run');
  for (const message of messages) inbox.add(message);
  const { events, next } = inbox.take(after);
  return { seqs: events.map(({ seq }) => seq), next };
}

describe('Inbox', () => {
  it('tells events that follow the number, and the end', () => {
    const messages = [`4 0 \n${text('a')}`, '4 0 ', `6 1 \n${text('b')}\n${text('c')}`];
    expect(told(3, ...messages)).toEqual({ seqs: [4, 5, 6], next: 'over' });
    expect(told(3)).toEqual({ seqs: [], next: 'wait' });
  });

  it('skips events that were told before', () => {
    const messages = [`4 0 \n${text('a')}`, `6 0 \n${text('b')}\n${text('c')}`];
    expect(told(5, ...messages)).toEqual({ seqs: [6], next: 'wait' });
    expect(told(6, ...messages)).toEqual({ seqs: [], next: 'wait' });
  });

  it.each([
    ['a gap', `5 0 \n${text('b')}`],
    ['a number without its event', '4 0 '],
    [
      'an event of another run',
      `4 0 \n${JSON.stringify({ v: 1, type: 'text.delta', delta: '', runId: 'x' })}`,
    ],
    [
      'an event of a newer release',
      `4 0 \n${JSON.stringify({ v: 2, type: 'text.delta', delta: 'a' })}`,
    ],
    ['no event', '4 0 \n{"v":1,"type":"text.delta"}'],
    ['no message', 'hello'],
  ])('leaves %s to the stream', (_, message) => {
    expect(told(3, message, `5 0 \n${text('c')}`)).toEqual({ seqs: [], next: 'behind' });
  });

  it('drops what a slow reader does not take, until it does', () => {
    const inbox = new Inbox('run');
    const long = text('x'.repeat(1_000));
    for (let last = 1; last <= 100; last += 1) inbox.add(`${last} 0 \n${long}`);
    expect(inbox.take(0)).toEqual({ events: [], next: 'behind', publishedAt: undefined });
    inbox.add(`101 0 \n${long}`);
    expect(inbox.take(100)).toMatchObject({ events: [{ seq: 101 }], next: 'wait' });
  });

  it('tells when the first of its messages was published', () => {
    const inbox = new Inbox('run');
    for (const message of ['4 0 ', `5 0 700\n${text('b')}`, `6 0 900\n${text('c')}`])
      inbox.add(message);
    expect(inbox.take(4)).toMatchObject({ publishedAt: 700 });
    expect(inbox.take(6)).toMatchObject({ publishedAt: undefined });
  });
});
