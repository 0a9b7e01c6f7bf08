import type { SessionStore } from '../../session';
import { testGlobals } from '../test-globals';
import type { StoreUnderTest } from './store-under-test';

/** A runner's `it` for tests of optional methods: stores without them skip these. */
export function testsOf<Method extends keyof SessionStore>(
  under: StoreUnderTest,
  ...methods: readonly Method[]
) {
  type Able = SessionStore & Required<Pick<SessionStore, Method>>;
  const isAble = (store: SessionStore): store is Able => methods.every((method) => store[method]);
  return (name: string, test: (store: Able, peer: Able) => Promise<void>): void =>
    testGlobals().it(name, async () => {
      const { store, peer } = under;
      if (isAble(store) && isAble(peer)) await test(store, peer);
    });
}
