import { logInWith } from './account.js';

// Only back to a page of this server: anything else would make the log-in somebody's trampoline.
const wanted = new URLSearchParams(location.search).get('return') ?? '/agent/ui';
const target = new URL(wanted, location.origin);
const isHere = target.origin === location.origin;

// The whole address: a path that begins with two slashes would be one of another server.
logInWith(document.querySelector('#log-in'), isHere ? target.href : '/');
