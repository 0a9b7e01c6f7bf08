import { StrictMode, useState, type ComponentType, type FormEvent } from 'react';
import { createRoot } from 'react-dom/client';
import { beginThread, logIn, logOut, messageOf, threadOfPage, token } from './agent';
import { Threads } from './threads';
import './style.css';

type Chat = ComponentType<{ thread: string }>;

/** A page: a login for anonymous users, then the conversation that the address names, or a new one. */
export function mount(title: string, Chat: Chat): void {
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      {token() === null ? <LogIn title={title} /> : <Page title={title} Chat={Chat} />}
    </StrictMode>,
  );
}

function LogIn({ title }: { title: string }) {
  const [error, setError] = useState<Error>();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    logIn(String(new FormData(event.currentTarget).get('name')));
    beginThread().catch((problem: Error) => {
      logOut();
      setError(problem);
    });
  };
  return (
    <form className="log-in" onSubmit={submit}>
      <h1>{title}</h1>
      <label>
        Name <input name="name" required autoFocus autoComplete="off" />
      </label>
      <button className="primary">Log in</button>
      {error && (
        <p className="error" role="alert">
          {messageOf(error)}
        </p>
      )}
    </form>
  );
}

function Page({ title, Chat }: { title: string; Chat: Chat }) {
  const thread = threadOfPage();
  const leave = () => {
    logOut();
    location.search = '';
  };
  return (
    <div className="page">
      <header>
        <h1>{title}</h1>
        <Threads />
        <button onClick={leave}>Log out {token()}</button>
      </header>
      {thread !== null && <Chat thread={thread} />}
    </div>
  );
}
