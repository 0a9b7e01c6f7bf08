// #region headers
const chat = document.querySelector('agent-chat');

chat.headers = () => JSON.parse(sessionStorage.getItem('shop.headers') ?? '{}');
chat.addEventListener('agent-unauthorized', () => {
  sessionStorage.setItem('shop.draft', chat.draft);
  location.assign('/login.html?return=/shop.html');
});
chat.draft = sessionStorage.getItem('shop.draft') ?? '';
sessionStorage.removeItem('shop.draft');
// #endregion headers

// #region context
chat.environmentContext = ['The user looks at the list of orders.'];
// #endregion context

// #region drive
document.querySelector('#ask').addEventListener('click', () => {
  chat.open = true;
  void chat.send('Where is my order 17?');
});
chat.addEventListener('agent-event', ({ detail }) => {
  if (detail.type !== 'tool.result' || detail.isError) return;
  document.querySelector('#told').textContent = `${detail.name} was used`;
});
// #endregion drive
