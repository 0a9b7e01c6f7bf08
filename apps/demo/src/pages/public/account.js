// Who is logged in, in this tab: the token goes when the tab is closed.
const KEY = 'platform.headers';

/** The headers of every request to the platform; none where nobody is logged in. */
export function headers() {
  return JSON.parse(sessionStorage.getItem(KEY) ?? '{}');
}

/** What the token says of its bearer, or `undefined`. */
export function account() {
  const [, token] = (headers().authorization ?? '').split(' ');
  if (!token) return undefined;
  const { sub, role, exp } = JSON.parse(
    atob(token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/')),
  );
  return exp * 1_000 > Date.now() ? { id: sub, role } : undefined;
}

export function logOut() {
  sessionStorage.removeItem(KEY);
}

/** Has a form log its user in, and goes on to `next`. */
export function logInWith(form, next) {
  const problem = form.querySelector('.problem');
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    problem.textContent = '';
    const body = JSON.stringify(Object.fromEntries(new FormData(form)));
    try {
      const response = await fetch('/auth/login', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      const answer = await response.json();
      if (!response.ok) throw new Error(answer.message);
      sessionStorage.setItem(
        KEY,
        JSON.stringify({ authorization: `Bearer ${answer.access_token}` }),
      );
      location.assign(next);
    } catch (error) {
      problem.textContent = error.message;
    }
  });
}
