import { useEffect, useState, type ReactNode } from 'react';
import { messageOf } from './agent';

interface LoadedProps<T> {
  readonly load: () => Promise<T>;
  readonly children: (value: T) => ReactNode;
}

/** Shows its children once `load` has delivered. Another conversation is another page. */
export function Loaded<T>({ load, children }: LoadedProps<T>) {
  const [state, setState] = useState<{ value: T } | { error: Error }>();
  useEffect(() => {
    let isGone = false;
    const settle = (next: { value: T } | { error: Error }) => {
      if (!isGone) setState(next);
    };
    load().then(
      (value) => settle({ value }),
      (error: unknown) =>
        settle({ error: error instanceof Error ? error : new Error(String(error)) }),
    );
    return () => {
      isGone = true;
    };
  }, []);
  if (state === undefined) return null;
  return 'value' in state ? (
    children(state.value)
  ) : (
    <p className="error" role="alert">
      {messageOf(state.error)}
    </p>
  );
}
