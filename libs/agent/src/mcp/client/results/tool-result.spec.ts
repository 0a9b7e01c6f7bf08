import type { JsonValue } from '../../../message';
import type { RemoteTool } from '../tools';
import { toolResultOf } from './tool-result';

const TOOL = {
  name: 't',
  outputSchema: { type: 'object', required: ['n'] },
} as unknown as RemoteTool;

/** The first bytes of such files. */
const PNG = 'iVBORw0KGgo=';
const PDF = 'JVBERi0xLjcK';

const mask = (text: string): string => text.replaceAll('secret-key', '***');

function read(answer: unknown, isReadOnly = false) {
  let warnings = 0;
  const result = toolResultOf(answer, TOOL, { isReadOnly, mask }, () => (warnings += 1));
  return { content: result.content, isError: result.isError, warnings };
}

const contentOf = (...content: readonly JsonValue[]) => read({ content }).content;

describe('a server’s result', () => {
  it.each<[string, JsonValue, unknown]>([
    ['a text', { type: 'text', text: 'hello' }, 'hello'],
    [
      'a picture',
      { type: 'image', data: PNG, mimeType: 'image/png' },
      [{ type: 'image', mediaType: 'image/png', data: PNG }],
    ],
    [
      'a picture as what it is',
      { type: 'image', data: PNG, mimeType: 'image/jpeg' },
      [{ type: 'image', mediaType: 'image/png', data: PNG }],
    ],
    [
      'no picture of other bytes',
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      '[A block that does not contain image/png was left out.]',
    ],
    [
      'a picture that is none',
      { type: 'image', data: 'AAAA', mimeType: 'text/html' },
      [{ type: 'file', mediaType: 'text/html', data: 'AAAA' }],
    ],
    [
      'a sound',
      { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
      [{ type: 'file', mediaType: 'audio/wav', data: 'AAAA' }],
    ],
    [
      'a resource of text',
      { type: 'resource', resource: { uri: 'file:///a.txt', text: 'hello' } },
      'file:///a.txt:\nhello',
    ],
    [
      'a resource of bytes',
      {
        type: 'resource',
        resource: { uri: 'file:///b/a.pdf?x=1', blob: PDF, mimeType: 'application/pdf' },
      },
      [{ type: 'file', mediaType: 'application/pdf', data: PDF, name: 'a.pdf' }],
    ],
    [
      'a link',
      { type: 'resource_link', uri: 'http://10.0.0.1/secret', name: 'Notes', description: 'Mine' },
      'Notes: http://10.0.0.1/secret (Mine)',
    ],
    ['an unknown block', { type: 'hologram' }, '[A block of an unknown type was left out.]'],
    ['no block', 'text', '[A block that cannot be read was left out.]'],
    ['a text without text', { type: 'text', text: 5 }, 'Done'],
    [
      'a picture whose data is none',
      { type: 'image', data: '<svg/>', mimeType: 'image/png' },
      '[A block whose data is not base64 was left out.]',
    ],
    ['a picture without data', { type: 'image' }, '[A block without data was left out.]'],
  ])('gives the model %s', (_name, block, content) => {
    expect(contentOf(block)).toEqual(content);
  });

  it('has at most 1 000 blocks', () => {
    const content = contentOf(
      ...Array.from({ length: 5_000 }, () => ({ type: 'text', text: 'x' })),
    );
    expect(content).toHaveLength(1_001);
    expect(content.at(-1)).toMatchObject({ text: '[4000 further blocks were left out.]' });
  });

  it('is read from structuredContent only where there is no other content', () => {
    const structuredContent = { n: 1 };
    expect(read({ content: [], structuredContent })).toMatchObject({ content: '{"n":1}' });
    expect(read({ structuredContent })).toMatchObject({ content: '{"n":1}' });
    const content = [{ type: 'text', text: 'one' }];
    expect(read({ content, structuredContent })).toMatchObject({ content: 'one', warnings: 0 });
    expect(read({ content: [] })).toMatchObject({ content: 'Done', isError: false });
    expect(read('nothing', true)).toMatchObject({ content: '(empty)' });
  });

  it('whose structuredContent does not fit is an error only for a tool that reads', () => {
    const structuredContent = { m: 1 };
    expect(read({ structuredContent })).toMatchObject({
      content: expect.stringContaining('does not fit its schema'),
      isError: false,
      warnings: 1,
    });
    expect(() => read({ structuredContent }, true)).toThrow('does not fit');
    const content = [{ type: 'text', text: 'one' }];
    expect(read({ content, structuredContent }, true)).toMatchObject({
      content: 'one',
      warnings: 1,
    });
  });

  it('whose structuredContent is nested too deeply to be written is no failure of a write', () => {
    const levels = 100_000;
    const list = JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as JsonValue;
    const { content, isError } = read({ structuredContent: { n: list } });
    expect(content).toContain('was left out');
    expect(isError).toBe(false);
  });

  it('may be an error, with or without words', () => {
    const content = [{ type: 'text', text: 'No such file' }];
    expect(read({ content, isError: true })).toMatchObject({
      content: 'No such file',
      isError: true,
    });
    expect(read({ isError: true, structuredContent: {} })).toMatchObject({
      content: 'The tool failed and gave no reason.',
      isError: true,
      warnings: 0,
    });
  });

  it('has our credentials masked wherever the model reads a text', () => {
    const uri = 'file:///secret-key';
    expect(contentOf({ type: 'text', text: 'you sent secret-key' })).toBe('you sent ***');
    expect(
      contentOf(
        { type: 'text', text: 'secret-key' },
        { type: 'resource', resource: { uri, text: 'a secret-key' } },
        { type: 'resource', resource: { uri, blob: 'AAAA' } },
        { type: 'resource_link', uri, name: 'secret-key', description: 'secret-key' },
      ),
    ).toEqual([
      { type: 'text', text: '***' },
      { type: 'text', text: 'file:///***:\na ***' },
      { type: 'file', mediaType: 'application/octet-stream', data: 'AAAA', name: '***' },
      { type: 'text', text: '***: file:///*** (***)' },
    ]);
    const long = `file:///${'x'.repeat(1_990)}/secret-key`;
    expect(contentOf({ type: 'resource_link', uri: long, name: 'long' })).not.toMatch(/s$/);
    expect(read({ structuredContent: { n: 'secret-key' } }).content).toBe('{"n":"***"}');
    const failed = read({ isError: true, content: [{ type: 'text', text: 'no secret-key' }] });
    expect(failed).toMatchObject({ content: 'no ***', isError: true });
  });
});
