import { contentsOf } from './resource-contents';

describe('contentsOf', () => {
  const file = (bytes: number) => ({
    type: 'file',
    mediaType: 'application/pdf',
    data: Buffer.alloc(bytes).toString('base64'),
  });

  it('has empty text for nothing, and JSON for every other value', () => {
    expect(contentsOf('a://b', undefined)).toEqual([{ uri: 'a://b', text: '' }]);
    expect(contentsOf('a://b', null)).toEqual([
      { uri: 'a://b', mimeType: 'application/json', text: 'null' },
    ]);
    expect(contentsOf('a://b', [1], 'application/x-list')).toEqual([
      { uri: 'a://b', mimeType: 'application/x-list', text: '[1]' },
    ]);
  });

  it('has the bytes of a view alone, not of the memory behind it', () => {
    const memory = Buffer.from('secret:open');
    expect(contentsOf('a://b', memory.subarray(7))).toEqual([
      {
        uri: 'a://b',
        mimeType: 'application/octet-stream',
        blob: Buffer.from('open').toString('base64'),
      },
    ]);
  });

  it('refuses more than 4 MiB of files together', () => {
    const half = file(2 * 1024 * 1024);
    expect(contentsOf('a://b', [half, half])).toHaveLength(2);
    expect(() => contentsOf('a://b', [half, half, file(1)])).toThrow(
      'The resource is too large: it has 4194305 bytes of files, and 4194304 is the maximum.',
    );
  });
});
