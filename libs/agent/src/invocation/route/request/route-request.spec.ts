import type { PathToken, ResolvedRoute } from '../../../discovery';
import type { JsonObject } from '../../../message';
import type { RouteField, RouteInput } from '../input/route-fields';
import { routeRequestOf } from './route-request';

const ROUTE: ResolvedRoute = {
  method: 'POST',
  path: '/orders/:id',
  pattern: [
    { type: 'text', value: '/orders/' },
    { type: 'param', name: 'id' },
  ],
  headers: {},
  query: {},
};

function request(
  fields: readonly RouteField[],
  input: JsonObject,
  { hasBody = false, ...route }: Partial<ResolvedRoute & RouteInput> = {},
) {
  return routeRequestOf(
    { ...ROUTE, ...route },
    { schema: {}, fields: [{ name: 'id', place: 'path', key: 'id' }, ...fields], hasBody },
    { id: '7', ...input },
    { isNested: false },
  );
}

describe('the request of a route call', () => {
  it('has every argument in its place, under the name it has there', () => {
    const fields: RouteField[] = [
      { name: 'page', place: 'query', key: 'p' },
      { name: 'x-note', place: 'header', key: 'X-Note' },
      { name: 'header_id', place: 'header', key: 'id' },
      { name: 'text', place: 'body', key: 'message' },
    ];
    const input = { id: 'a/b', page: 2, 'x-note': 'n', header_id: 5, text: 'ü' };
    expect(request(fields, input, { hasBody: true })).toEqual({
      method: 'POST',
      path: '/orders/a%2Fb?p=2',
      headers: {
        accept: 'application/json, text/plain, */*',
        'content-type': 'application/json',
        'x-note': 'n',
        id: '5',
      },
      body: '{"message":"ü"}',
      sharedValues: new Map(),
    });
  });

  it('has no list of one in a plain query that its pipe would split', () => {
    const fields: RouteField[] = [{ name: 'tags', place: 'query', key: 'tags', separator: ',' }];
    const issue = '/tags/0: must not contain ",", which separates the members of the list';
    expect(() => request(fields, { tags: ['a,b'] })).toThrow(issue);
    expect(request(fields, { tags: ['a,b', 'c'] }).path).toBe('/orders/7?tags=a%2Cb&tags=c');
    expect(request(fields, { tags: ['a'] }).path).toBe('/orders/7?tags=a');
  });

  it('has a list of a query as one text where its documentation says so', () => {
    const fields: RouteField[] = [
      { name: 'tags', place: 'query', key: 'tags', separator: '|', isJoined: true },
    ];
    expect(request(fields, { tags: ['a', 'b'] }).path).toBe('/orders/7?tags=a%7Cb');
    expect(() => request(fields, { tags: ['a|b', 'c'] })).toThrow('/tags/0: must not contain "|"');
  });

  it('has a list of a path or a header as one text, as the pipe that splits it expects it', () => {
    const fields: RouteField[] = [
      { name: 'tags', place: 'header', key: 'x-tags' },
      { name: 'ids', place: 'header', key: 'x-ids', separator: ';' },
      { name: 'lines', place: 'header', key: 'x-lines' },
    ];
    const input = { id: [1, 2], tags: ['a', 'b'], ids: ['a,b', 'c'], lines: [{ a: 1, b: 2 }] };
    const { path, headers } = request(fields, input);
    expect(path).toBe('/orders/1%2C2');
    expect(headers).toMatchObject({
      'x-tags': 'a,b',
      'x-ids': 'a,b;c',
      'x-lines': '[{"a":1,"b":2}]',
    });
    expect(() => request(fields, { tags: ['a,b'] })).toThrow('/tags/0: must not contain ","');
  });

  it('says nothing of what is missing or null, and has no body where the route reads none', () => {
    const fields: RouteField[] = [
      { name: 'page', place: 'query', key: 'page' },
      { name: 'note', place: 'header', key: 'x-note' },
    ];
    const { path, headers, body } = request(fields, { page: null, note: null });
    expect({ path, headers, body }).toEqual({
      path: '/orders/7',
      headers: { accept: 'application/json, text/plain, */*' },
      body: undefined,
    });
    expect(request([], {}, { hasBody: true }).body).toBe('{}');
  });

  it('is the whole body where that is one argument', () => {
    const fields: RouteField[] = [{ name: 'body', place: 'body' }];
    expect(request(fields, { body: [1, { a: null }] }).body).toBe('[1,{"a":null}]');
    expect(request(fields, { body: null }, { hasBody: true }).body).toBe('null');
    expect(request(fields, {}, { hasBody: true }).body).toBe('{}');
    expect(request(fields, {}, { hasBody: false }).body).toBeUndefined();
  });

  it('accepts what the model asks for, unless the version is told by it', () => {
    const fields: RouteField[] = [{ name: 'accept', place: 'header', key: 'Accept' }];
    expect(request(fields, { accept: 'text/csv' }).headers.accept).toBe('text/csv');
    const versioned = { headers: { accept: 'application/json;v=2' } };
    expect(request(fields, { accept: 'text/csv' }, versioned).headers.accept).toBe(
      'application/json;v=2',
    );
  });

  it('asks for the version that stands in the query', () => {
    expect(request([], {}, { query: { v: '2' } }).path).toBe('/orders/7?v=2');
  });

  it('says which values of the path a router might read together', () => {
    const pattern: PathToken[] = [
      { type: 'text', value: '/orders/' },
      { type: 'param', name: 'id' },
      { type: 'text', value: '-' },
      { type: 'param', name: 'part' },
      { type: 'text', value: '/' },
      { type: 'param', name: 'alone' },
    ];
    const fields: RouteField[] = [
      { name: 'piece', place: 'path', key: 'part' },
      { name: 'alone', place: 'path', key: 'alone' },
    ];
    const { path, sharedValues } = request(fields, { piece: 3, alone: 'x' }, { pattern });
    expect(path).toBe('/orders/7-3/x');
    expect([...sharedValues]).toEqual([
      ['id', { name: 'id', value: '7' }],
      ['part', { name: 'piece', value: '3' }],
    ]);
  });

  it.each(['page', 'page[]', '[page]', '[page][0]', '[v'])(
    'is refused with an open query that fills what is not for it: %s',
    (key) => {
      const fields: RouteField[] = [
        { name: 'page', place: 'query', key: 'page' },
        { name: 'query', place: 'query' },
      ];
      const input = { page: 1, query: { [key]: '9' } };
      expect(() => request(fields, input, { query: { v: '1' } })).toThrow(
        'is not for the query: it is an argument of its own',
      );
    },
  );

  it('is refused with every value that cannot be said', () => {
    const fields: RouteField[] = [{ name: 'note', place: 'header', key: 'x-note' }];
    const issues = [
      { path: '/id', message: expect.any(String) as string },
      { path: '/note', message: expect.stringContaining('line breaks') as string },
    ];
    expect(() => request(fields, { id: '..', note: 'a\r\nb: c' })).toThrow(
      expect.objectContaining({ code: 'invalid_arguments', issues }),
    );
  });
});
