import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Expected, Format, Recording } from './recording';

/** Where the recordings are: beside the repository, since they are not part of it. */
export const FOLDER = join(__dirname, '../../../shared/recordings');

/** The recordings of one format; `undefined` where there are none on this machine. */
export function recordingsOf(format: Format): readonly Recording[] | undefined {
  if (!existsSync(join(FOLDER, 'index.json.gz'))) return undefined;
  const index = json('index.json.gz') as readonly (Omit<Recording, 'body'> & { hasReq: boolean })[];
  const expected = json('expected.json.gz') as Readonly<Record<string, Expected>>;
  const files = filesIn(unzipped('bodies.tar.gz'));
  return index
    .filter(({ fmt }) => fmt === format)
    .map((entry) => ({
      ...entry,
      body: fileIn(files, `${entry.id}.body`),
      request: entry.hasReq
        ? (JSON.parse(fileIn(files, `${entry.id}.request.json`).toString()) as Recording['request'])
        : undefined,
      expected: expected[entry.id] ?? absent(`an expectation of ${entry.id}`),
    }));
}

function unzipped(file: string): Buffer {
  return gunzipSync(readFileSync(join(FOLDER, file)));
}

function json(file: string): unknown {
  return JSON.parse(unzipped(file).toString());
}

function fileIn(files: ReadonlyMap<string, Buffer>, name: string): Buffer {
  return files.get(name) ?? absent(name);
}

function absent(what: string): never {
  throw new Error(`${FOLDER} has not ${what}.`);
}

const BLOCK = 512;

/** The plain files of a tar archive, by their names without folders. */
function filesIn(archive: Buffer): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>();
  let at = 0;
  while (at + BLOCK <= archive.length) {
    const header = archive.subarray(at, at + BLOCK);
    const text = (start: number, length: number) =>
      header
        .toString('latin1', start, start + length)
        .split('\0', 1)
        .join('');
    const size = parseInt(text(124, 12), 8) || 0;
    const name = text(0, 100).split('/').pop() ?? '';
    at += BLOCK;
    if (name !== '') files.set(name, archive.subarray(at, at + size));
    at += Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}
