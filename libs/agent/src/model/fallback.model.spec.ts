import { defineModel } from './define-model';
import { fallback } from './fallback.model';
import { collect, textIn } from './fixtures/collect';

const aborted = Object.assign(new Error('aborted'), { name: 'AbortError' });
const giveUp = defineModel({ name: 'impatient', stream: () => Promise.reject(aborted) });
const answer = defineModel({ name: 'patient', stream: () => 'Hello' });

describe('a model that aborts by itself', () => {
  it('has failed: nobody cancelled the call', async () => {
    const { error } = await collect(giveUp);
    expect(error).toMatchObject({ code: 'model_unavailable', cause: aborted });
  });

  it('gives way to the next one', async () => {
    const bare = { ...answer, name: 'bare', stream: () => failing() };
    async function* failing(): AsyncGenerator<never> {
      yield await Promise.reject<never>(aborted);
    }
    expect(textIn((await collect(fallback([giveUp, bare, answer]))).events)).toBe('Hello');
  });
});
