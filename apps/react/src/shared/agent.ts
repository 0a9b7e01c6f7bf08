/** Where the application has its agent. */
const AGENT = '/agent';

const TOKEN = 'token';

export const token = (): string | null => sessionStorage.getItem(TOKEN);

export function logIn(name: string): void {
  sessionStorage.setItem(TOKEN, name);
}

export function logOut(): void {
  sessionStorage.removeItem(TOKEN);
}

// #region headers
/** A function, not an object: every request takes the token of its moment. */
export function headers(): Record<string, string> {
  const value = token();
  return value === null ? {} : { authorization: `Bearer ${value}` };
}
// #endregion headers

/** The conversation in the address of the page: a reload comes back to it. */
export function threadOfPage(): string | null {
  return new URLSearchParams(location.search).get('thread');
}

/** Leads the page to a conversation. */
export function openThread(id: string): void {
  location.search = `?thread=${encodeURIComponent(id)}`;
}

/** Begins a conversation, under an id of the server. */
export async function beginThread(): Promise<void> {
  const response = await fetch(addressOf('sessions'), {
    method: 'POST',
    headers: { ...headers(), 'content-type': 'application/json' },
    body: '{}',
  });
  if (!response.ok) throw new Error(await response.text());
  openThread(((await response.json()) as { sessionId: string }).sessionId);
}

/** The address of an endpoint; ids in it may have any characters. */
export function addressOf(...path: readonly string[]): string {
  return [AGENT, ...path.map(encodeURIComponent)].join('/');
}

/** Reads JSON from the agent; `undefined` where there is nothing. */
export async function read<T>(...path: readonly string[]): Promise<T | undefined> {
  const response = await fetch(addressOf(...path), { headers: headers() });
  if (response.status === 404 || response.status === 204) return undefined;
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as T;
}

/** Reads JSON once the agent is back: asks with growing pauses; `undefined` where it refuses. */
export async function readWhenBack<T>(...path: readonly string[]): Promise<T | undefined> {
  for (let pauseMs = 500; ; pauseMs = Math.min(2 * pauseMs, 15_000)) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    const ask = fetch(addressOf(...path), { headers: headers() });
    const response = await ask.catch(() => undefined);
    if (response === undefined || response.status >= 500) continue;
    return response.status === 200 ? ((await response.json()) as T) : undefined;
  }
}

/** The error's message for the user: that of the server's answer, or the error's own. */
export function messageOf(error: Error): string {
  try {
    const { message } = JSON.parse(error.message) as { message?: unknown };
    return typeof message === 'string' ? message : error.message;
  } catch {
    return error.message;
  }
}
