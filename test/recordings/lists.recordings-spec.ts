import { comparable } from './describe-recordings';
import { acceptedOf } from './describe-requests';
import { DIFFERENCES, knownFields, listedIds, REQUESTS } from './differences';
import { FORMATS } from './formats';
import { FOLDER, recordingsOf } from './recordings';

const formats = FORMATS.flatMap((format) => {
  const recordings = recordingsOf(format);
  if (recordings === undefined) return [];
  const answers = comparable(recordings).map(({ id }) => id);
  const requests = acceptedOf(format, recordings).map(({ id }) => id);
  return [{ format, answers, requests }];
});

// Whether a listed difference still occurs is seen where its recording is replayed.
(formats.length === 0 ? describe.skip : describe)(`what is listed, of ${FOLDER}`, () => {
  it.each([
    ['differences', DIFFERENCES, formats.flatMap(({ answers }) => answers)],
    ['requests', REQUESTS, formats.flatMap(({ requests }) => requests)],
  ])('%s are of recordings that are replayed, each listed once', (_, list, replayed) => {
    const ids = listedIds(list);
    expect(ids.filter((id) => !replayed.includes(id))).toEqual([]);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('has these totals', () => {
    const different = new Set(listedIds(DIFFERENCES));
    const unwritten = new Set(listedIds(REQUESTS));
    const lines = formats.map(({ format, answers, requests }) => {
      const differing = answers.filter((id) => different.has(id));
      const fields = differing.flatMap((id) => knownFields(id));
      return `${format}: ${answers.length} answers, ${differing.length} differ (in ${fields.length} fields); ${requests.length} requests, ${requests.filter((id) => unwritten.has(id)).length} differ`;
    });
    process.stdout.write(`${lines.join('\n')}\n`);
    expect(lines).toHaveLength(FORMATS.length);
  });
});
