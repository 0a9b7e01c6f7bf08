import { account, logInWith, logOut } from './account.js';

const form = document.querySelector('#log-in');
const signedIn = document.querySelector('#signed-in');

function show() {
  const user = account();
  form.hidden = user !== undefined;
  signedIn.hidden = user === undefined;
  document.querySelector('#who').textContent = user?.id ?? '';
}

logInWith(form, '/agent/ui');
document.querySelector('#log-out').addEventListener('click', () => {
  logOut();
  show();
});
show();
