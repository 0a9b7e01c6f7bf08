import { coverageOf, coversAll } from './route-coverage';
import { parse } from 'path-to-regexp';

const covers = (earlier: string, later: string): boolean =>
  coversAll(coverageOf(parse(earlier).tokens), coverageOf(parse(later).tokens));

describe('a path of Express', () => {
  it.each([
    ['/x/:id', '/x/count'],
    ['/x/:id', '/x/:other'],
    ['/x/:id', '/x/count.json'],
    ['/x/:id', '/x/:file.:type'],
    ['/x/:id/parts', '/x/own/parts'],
    ['/:kind/:id', '/x/count'],
    ['/x/file-:id', '/x/file-list'],
    ['/x/*rest', '/x/a/:b/c'],
    ['/x/*rest', '/x/*other'],
    ['/x/{*rest}', '/x/a/b'],
    ['/*rest/edit', '/x/:id/edit'],
    ['/x{/:id}', '/x/count'],
    ['/x{/:id}', '/x'],
    ['/x{/:id}', '/x{/count}'],
    ['/x/:id.', '/x/count.'],
    ['/x/:a/:b', '/x/a-b/:c'],
  ])('%s takes all that %s can have', (earlier, later) => {
    expect(covers(earlier, later)).toBe(true);
  });

  it.each([
    ['/x/count', '/x/:id'],
    ['/x/:id', '/x'],
    ['/x/:id', '/x/a/b'],
    ['/x/:id', '/x/*rest'],
    ['/x/:id', '/x{/:id}'],
    ['/x/:id', '/x/count{/:of}'],
    ['/x/:id/parts', '/x/own/others'],
    ['/x/*rest', '/x'],
    ['/x/*rest', '/y/a'],
    ['/x/:id.', '/x/countx'],
    // The second value must not contain the text before it.
    ['/x/:a-:b', '/x/a-:c'],
    ['/x/*a/y/*b', '/x/a/y/:c'],
  ])('%s may leave some of %s', (earlier, later) => {
    expect(covers(earlier, later)).toBe(false);
  });

  it.each(['/x/:id', '/x/*rest', '/x{/:id}{/*rest}'])('%s takes all of its own', (path) => {
    expect(covers(path, path)).toBe(true);
  });
});
