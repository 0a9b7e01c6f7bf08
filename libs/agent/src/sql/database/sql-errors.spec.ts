import { LeaseLostError } from '../../session';
import { asStoreError } from './sql-errors';

function driverError(code?: string): Error {
  const text = 'password authentication failed for user "bob" at postgres://bob:s3cret@db:5432';
  return Object.assign(new Error(text), code === undefined ? {} : { code });
}

describe('asStoreError()', () => {
  it.each([
    ['ECONNREFUSED', 'store_unavailable', /cannot be reached.*\(ECONNREFUSED\)\.$/],
    ['08006', 'store_unavailable', /cannot be reached.*\(08006\)\.$/],
    [
      '53300',
      'store_unavailable',
      /accepts no more connections: lower maxConnections.*\(53300\)\.$/,
    ],
    ['53100', 'store_unavailable', /has no space left on its disk \(53100\)\.$/],
    ['53200', 'store_unavailable', /cannot be reached/],
    ['57P01', 'store_unavailable', /cannot be reached/],
    [
      undefined,
      'store_unavailable',
      /cannot be reached. Check that it is running and where it is\.$/,
    ],
    ['28P01', 'store_unavailable', /refused the credentials it was given \(28P01\)\.$/],
    ['3D000', 'store_unavailable', /does not exist on that server/],
    ['25006', 'store_unavailable', /accepts no writes.*\(25006\)\.$/],
    [
      '40001',
      'store_unavailable',
      /rolled back a statement that met others, each time \(40001\)\.$/,
    ],
    ['55P03', 'store_unavailable', /did not answer in time \(55P03\)\.$/],
    ['57014', 'store_unavailable', /did not answer in time \(57014\)\.$/],
    ['25P03', 'store_unavailable', /ended a transaction that took too long \(25P03\)\.$/],
    ['25P04', 'store_unavailable', /ended a transaction that took too long \(25P04\)\.$/],
    ['42501', 'store_failed', /refuses its role a right that the store needs \(42501\)/],
    ['23505', 'store_failed', /failed \(23505\)\.$/],
    ['s3cret: not a code', 'store_unavailable', /where it is\.$/],
  ])('says what %s means, without the driver’s words', (code, kind, message) => {
    const error = asStoreError(driverError(code));
    expect(error).toMatchObject({ code: kind, message: expect.stringMatching(message) as string });
    expect(String((error as Error).stack) + JSON.stringify(error)).not.toMatch(/s3cret|bob/);
    expect((error as Error).cause).toBeUndefined();
  });

  it('leaves our own errors and defects alone', () => {
    for (const error of [new LeaseLostError(), new TypeError('defect')]) {
      expect(asStoreError(error)).toBe(error);
    }
  });
});
