document.querySelector('form').addEventListener('submit', (event) => {
  event.preventDefault();
  const { name } = Object.fromEntries(new FormData(event.target)); // and your log-in's answer
  const headers = { authorization: `Bearer ${name}` };
  sessionStorage.setItem('shop.headers', JSON.stringify(headers)); // for this tab
  const back = new URL(new URLSearchParams(location.search).get('return') ?? '/', location.href);
  location.assign(back.origin === location.origin ? back.href : '/');
});
