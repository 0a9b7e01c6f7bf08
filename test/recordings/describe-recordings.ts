import { Logger } from '@nestjs/common';
import { ModelError } from 'nestjs-agent';
import { differencesBetween } from './comparison';
import { knownFields } from './differences';
import { ERROR_CODES, RETRIED } from './error-codes';
import { MODELS } from './formats';
import { toolsOf } from './recorded-tools';
import type { Format, Recording } from './recording';
import { RecordingServer } from './recording.server';
import { FOLDER, recordingsOf } from './recordings';
import { replay, type Answer } from './replay';
import { singleBytes } from './single-bytes';

/** Replays every answer of a format: whole, cut at random, and byte by byte. */
export function describeRecordings(format: Format): void {
  const recordings = recordingsOf(format);
  if (recordings === undefined) {
    it.skip(`${format}: there are no recordings in ${FOLDER}`, () => undefined);
    return;
  }
  let server: RecordingServer;
  beforeAll(async () => {
    // Refusals of a service are logged.
    Logger.overrideLogger(false);
    server = await RecordingServer.start();
  });
  afterAll(() => server.stop());

  const answers = comparable(recordings);
  describe.each(['whole', 'cut'] as const)(`${format}, %s`, (cuts) => {
    it.each(titled(answers))('%s', async (_, recording) => {
      const baseURL = server.serve(recording, cuts);
      judge(recording, await replayed(recording, { baseURL }));
    });
  });

  describe(`${format}, byte by byte`, () => {
    it.each(titled(answers))('%s', async (_, recording) => {
      const target = { baseURL: 'http://127.0.0.1', fetch: singleBytes(recording) };
      judge(recording, await replayed(recording, target));
    });
  });

  const refusals = recordings.filter(({ kind }) => kind === 'error');
  describe(`${format}, refused`, () => {
    it.each(titled(refusals))('%s', async (_, recording) => {
      const { error } = await replayed(recording, { baseURL: server.serve(recording, 'whole') });
      const { code, isRetryable, retryAfterMs } = error as ModelError;
      const { id } = recording;
      expect(error).toBeInstanceOf(ModelError);
      expect(ERROR_CODES[code]).toContain(id);
      expect([isRetryable, retryAfterMs]).toEqual([RETRIED.has(id), RETRIED.get(id)]);
    });
  });

  function replayed(
    recording: Recording,
    target: { readonly baseURL: string; readonly fetch?: typeof fetch },
  ): Promise<Answer> {
    const model = MODELS[format]({ model: recording.model ?? 'm', ...target });
    return replay(model, toolsOf(recording));
  }
}

/** The answer equals the SDK's except for listed differences, and those still occur. */
function judge({ id, expected }: Recording, answer: Answer): void {
  const known = knownFields(id);
  const found = differencesBetween(answer, expected);
  expect(found.filter(({ field }) => !known.includes(field))).toEqual([]);
  expect(found.map(({ field }) => field).sort()).toEqual(known);
}

/** The answers that the SDK's reading of them is compared with. */
export function comparable(recordings: readonly Recording[]): readonly Recording[] {
  return recordings.filter(({ kind, expected }) => kind !== 'error' && !expected.skip);
}

function titled(recordings: readonly Recording[]): [string, Recording][] {
  return recordings.map((recording) => [
    `${recording.provider} ${recording.kind} ${recording.id}`,
    recording,
  ]);
}
