import fc from 'fast-check';
import type { PathToken } from '../../../discovery';
import type { ArgumentIssue } from '../../../tool';
import { fillPath } from './route-url';

const text = (value: string): PathToken => ({ type: 'text', value });
const param = (name: string): PathToken => ({ type: 'param', name });
const rest: PathToken = { type: 'wildcard', name: 'rest' };
const group = (...tokens: PathToken[]): PathToken => ({ type: 'group', tokens });

function fill(tokens: readonly PathToken[], values: Readonly<Record<string, string>> = {}) {
  const issues: ArgumentIssue[] = [];
  const path = fillPath(
    tokens,
    (name) => (Object.hasOwn(values, name) ? { name, value: values[name] ?? '' } : undefined),
    issues,
  );
  return { path, issues };
}

/** A path as a router reads it: the decoded segments that a URL parser leaves. */
function segmentsOf(path: string): readonly string[] {
  const { pathname, search, hash } = new URL(path, 'http://localhost');
  expect([pathname, search, hash]).toEqual([path, '', '']);
  return pathname.split('/').map(decodeURIComponent);
}

const anyText = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 });
const segment = anyText.filter((value) => !/^\.{1,2}$/.test(value));

describe('a filled path', () => {
  it('keeps any value in its segment', () => {
    fc.assert(
      fc.property(segment, segment, (id, part) => {
        const tokens = [text('/items/'), param('id'), text('/parts/'), param('part')];
        const { path, issues } = fill(tokens, { id, part });
        expect(issues).toEqual([]);
        expect(segmentsOf(path)).toEqual(['', 'items', id, 'parts', part]);
      }),
    );
  });

  it('keeps values apart that share a segment', () => {
    const tokens = [text('/between/'), param('from'), text('-'), param('to'), text('.json')];
    fc.assert(
      fc.property(anyText, anyText, (from, to) => {
        const { path, issues } = fill(tokens, { from, to });
        expect(issues).toEqual([]);
        const [first = '', second = '', ...others] = path
          .slice('/between/'.length, -'.json'.length)
          .split('-');
        expect(others).toEqual([]);
        expect([first, second].map(decodeURIComponent)).toEqual([from, to]);
        expect(first + second).not.toContain('.');
      }),
    );
  });

  it('keeps a wildcard below its prefix', () => {
    fc.assert(
      fc.property(
        fc.array(
          segment.filter((value) => !value.includes('/')),
          { minLength: 1 },
        ),
        (parts) => {
          const { path, issues } = fill([text('/files/'), rest], { rest: parts.join('/') });
          expect(issues).toEqual([]);
          expect(segmentsOf(path)).toEqual(['', 'files', ...parts]);
        },
      ),
    );
  });

  it.each(['/a', 'a/', 'a//b', '..', 'a/../b', './a', 'a/.', ''])(
    'refuses %j for a wildcard',
    (value) => {
      expect(fill([text('/files/'), rest], { rest: value }).issues).toHaveLength(1);
    },
  );

  it.each(['', '.', '..', '\ud800', 'a\udc00b'])('refuses %j for a segment', (value) => {
    const { issues } = fill([text('/items/'), param('id')], { id: value });
    expect(issues).toEqual([{ path: '/id', message: expect.stringContaining('must') }]);
  });

  it('names the argument of an issue by its JSON Pointer', () => {
    const { issues } = fill([text('/'), param('a/b~c')], { 'a/b~c': '' });
    expect(issues[0]?.path).toBe('/a~1b~0c');
  });

  it('holds a group only where all of it has values', () => {
    const tokens = [
      text('/archive'),
      group(text('/'), param('year'), group(text('/'), param('month'))),
    ];
    expect(fill(tokens).path).toBe('/archive');
    expect(fill(tokens, { year: '2026' }).path).toBe('/archive/2026');
    expect(fill(tokens, { year: '2026', month: '5' }).path).toBe('/archive/2026/5');
  });

  it('drops no value of a group that something is missing of', () => {
    const nested = [text('/a'), group(text('/'), param('b'), group(text('/'), param('c')))];
    expect(fill(nested, { c: '2' }).issues).toEqual([
      { path: '/c', message: 'is in the path only together with "b"' },
    ]);
    const span = [text('/a'), group(text('/'), param('from'), text('-'), param('to'))];
    expect(fill(span, { from: '1' }).issues).toEqual([
      { path: '/from', message: 'is in the path only together with "to"' },
    ]);
  });

  it('keeps a value from being read as a group beside it', () => {
    const file = [text('/'), param('name'), group(text('.'), param('type'))];
    expect(fill(file, { name: 'a.b' }).path).toBe('/a%2Eb');
    expect(fill(file, { name: 'a.b', type: 'c' }).path).toBe('/a%2Eb.c');
    const page = [text('/'), group(param('language'), text('-')), param('page')];
    expect(fill(page, { page: 'de-1' }).path).toBe('/de%2D1');
    const plain = [text('/'), param('name'), group(text('/'), param('part'))];
    expect(fill(plain, { name: 'a.b-c' }).path).toBe('/a.b-c');
    expect(fill([...plain, text('.json')], { name: 'a.b' }).path).toBe('/a%2Eb.json');
    expect(fill([...plain, text('/x')], { name: 'a.b' }).path).toBe('/a.b/x');
  });

  it.each<[string, PathToken[], Record<string, string>]>([
    ['beside a group that is left out', [group(param('a'), text('-')), param('b')], { b: '..' }],
    ['beside a dot', [text('.'), param('b')], { b: '.' }],
    ['before a dot', [param('b'), text('.')], { b: '.' }],
    ['in a wildcard beside a dot', [text('.'), rest], { rest: './x' }],
  ])('never leads out of its segment: %s', (_, tokens, values) => {
    const { issues } = fill([text('/items/'), ...tokens], values);
    expect(issues).toEqual([
      {
        path: `/${Object.keys(values)[0]}`,
        message: 'must not have "." or ".." as a path segment',
      },
    ]);
  });

  it('encodes what the author wrote plain, and leaves what stands encoded', () => {
    expect(fill([text('/größe/a b/%2F?#')]).path).toBe('/gr%C3%B6%C3%9Fe/a%20b/%2F%3F%23');
  });
});
