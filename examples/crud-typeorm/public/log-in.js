document.querySelector('form').addEventListener('submit', async (event) => {
  event.preventDefault();
  const answer = await fetch('/auth/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(Object.fromEntries(new FormData(event.target))),
  });
  if (!answer.ok) return;
  const { token } = await answer.json();
  // The chat page sends these headers with every request.
  sessionStorage.setItem('tasks.headers', JSON.stringify({ authorization: `Bearer ${token}` }));
  location.assign('/agent/ui');
});
