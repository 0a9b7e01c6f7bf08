import { repeated } from './repeated';

/** The number of attempts of failing work, and its outcome. */
async function attempts(codes: readonly string[]) {
  let count = 0;
  const work = async () => {
    const code = codes[count];
    count += 1;
    await Promise.resolve();
    if (code !== undefined) throw Object.assign(new Error('rolled back'), { code });
    return 'done';
  };
  const outcome = await repeated(work).catch((error: unknown) => error);
  return { count, outcome };
}

describe('work on a database', () => {
  it('is repeated if PostgreSQL rolled it back because of others', async () => {
    expect(await attempts(['40001', '40P01'])).toEqual({ count: 3, outcome: 'done' });
  });

  it('is not repeated for other reasons', async () => {
    expect(await attempts(['23505'])).toMatchObject({ count: 1, outcome: { code: '23505' } });
  });

  it('is given up in the end', async () => {
    const { count, outcome } = await attempts(Array.from({ length: 20 }, () => '40001'));
    expect({ count, outcome }).toMatchObject({ count: 10, outcome: { code: '40001' } });
  });
});
