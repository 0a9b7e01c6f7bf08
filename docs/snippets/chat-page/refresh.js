const chat = document.querySelector('agent-chat');

chat.refresh = async () => {
  const response = await fetch('/auth/refresh', { method: 'POST' }); // its cookie is HttpOnly
  if (!response.ok) throw new Error('Log in again.');
  const { access_token } = await response.json();
  const headers = { authorization: `Bearer ${access_token}` };
  sessionStorage.setItem('shop.headers', JSON.stringify(headers)); // for the next page of this tab
  return headers;
};
