import { UriTemplate } from './uri-template';

describe('UriTemplate', () => {
  const match = (template: string, uri: string) => UriTemplate.parse(template).match(uri);

  it.each([
    ['orders://list', 'orders://list', {}],
    ['orders://{id}', 'orders://17', { id: '17' }],
    ['orders://{id}', 'orders://a%20b%3F', { id: 'a b?' }],
    ['orders://{id}/lines/{line}', 'orders://1/lines/2', { id: '1', line: '2' }],
    ['a://{x}-{y}', 'a://p-q-r', { x: 'p', y: 'q-r' }],
    ['a://{x}.json', 'a://b.json.json', { x: 'b.json' }],
    ['a://s?q={q}&p={p}', 'a://s?q=1&p=2', { q: '1', p: '2' }],
    ['a://{__proto__}', 'a://x', JSON.parse('{"__proto__":"x"}')],
    ['a://{x}', 'a://%252e%252e', { x: '%2e%2e' }],
  ])('%s matches %s', (template, uri, values) => {
    expect(match(template, uri)).toEqual(values);
    expect(Object.keys(match(template, uri) ?? {})).toEqual(Object.keys(values as object));
  });

  it.each([
    ['orders://list', 'orders://list/'],
    ['orders://list', 'ORDERS://list'],
    ['orders://{id}', 'orders://'],
    ['orders://{id}', 'orders://1/2'],
    ['orders://{id}', 'orders://1%2F2'],
    ['orders://{id}', 'orders://1%5C2'],
    ['orders://{id}', 'orders://..'],
    ['orders://{id}', 'orders://%2E'],
    ['orders://{id}', 'orders://a%00'],
    ['orders://{id}', 'orders://a\nb'],
    ['orders://{id}', 'orders://\ud800'],
    ['orders://{id}', 'orders://%ff'],
    ['orders://{id}', 'orders://%2'],
    ['orders://{id}', 'orders://1?x'],
    ['orders://{id}', 'orders://1#x'],
    ['orders://{id}/lines/{line}', 'orders:///lines/2'],
    ['orders://{id}/lines/{line}', 'orders://1/lines/'],
    ['a://{x}aa', 'a://aa'],
    ['a://{x}/{y}/end', 'a://1/end'],
  ])('%s does not match %j', (template, uri) => {
    expect(match(template, uri)).toBeUndefined();
  });

  it('takes linear time for texts that a pattern would try in many ways', () => {
    const names = Array.from({ length: 50 }, (_, index) => `{v${index}}`);
    const template = UriTemplate.parse(`a://${names.join('x')}/end`);
    // Exponential work would not come to an end within the test's time.
    expect(template.match(`a://${'x'.repeat(8_000)}`)).toBeUndefined();
  });

  it.each([
    [undefined, 'no absolute URI'],
    ['', 'no absolute URI'],
    ['orders', 'no absolute URI'],
    ['{scheme}://x', 'no absolute URI'],
    ['a://b c', 'no absolute URI'],
    ['a://{}', 'a variable that is none'],
    ['a://{+x}', 'a variable that is none'],
    ['a://{x', 'a variable that is none'],
    ['a://x}', 'has a "}" without its "{"'],
    ['a://{x}}', 'has a "}" without its "{"'],
    ['a://{x}{y}', 'two variables side by side'],
    ['a://{x}/{x}', 'has the variable "x" twice'],
  ])('refuses %j as a declaration', (source, problem) => {
    expect(() => UriTemplate.parse(source)).toThrow(problem);
  });

  it('has the shape of every template that matches the same URIs', () => {
    expect(UriTemplate.parse('a://{x}/{y}').shape).toBe(UriTemplate.parse('a://{p}/{q}').shape);
    expect(UriTemplate.parse('a://{x}/b').shape).not.toBe(UriTemplate.parse('a://{x}/c').shape);
  });
});
