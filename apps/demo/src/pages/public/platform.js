// The dashboard: data from the platform's own routes, and two tools by which the agent changes it.
import { account, headers } from './account.js';

const chat = document.querySelector('agent-chat');
const rows = document.querySelector('#applications tbody');
const filter = document.querySelector('#filter');
let highlighted;
let chosen = 'all';
const toLogIn = () => location.assign('/login?return=/platform');

function element(name, text, className = '') {
  const made = document.createElement(name);
  made.textContent = text;
  made.className = className;
  return made;
}

async function get(path) {
  const response = await fetch(path, { headers: headers() });
  if (response.status === 401) toLogIn();
  return response.json();
}

async function show() {
  const [applications, stats] = await Promise.all([get('/applications'), get('/dashboard/stats')]);
  rows.replaceChildren(
    ...applications.map(({ name, environment, version, status }) => {
      const row = document.createElement('tr');
      row.dataset.name = name;
      row.dataset.status = status;
      const state = document.createElement('td');
      state.append(element('span', status, `status ${status}`));
      row.append(element('th', name), element('td', environment), element('td', version), state);
      row.firstElementChild.scope = 'row';
      return row;
    }),
  );
  markHighlighted();
  applyFilter();
  document.querySelector('#figures').replaceChildren(
    ...Object.entries(stats)
      .filter(([, value]) => typeof value === 'number')
      .map(([name, value]) => {
        const figure = document.createElement('li');
        figure.append(element('strong', value), element('span', words(name)));
        return figure;
      }),
  );
}

function words(name) {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function highlight({ name }) {
  const row = rows.querySelector(`[data-name="${CSS.escape(name)}"]`);
  if (row === null) throw new Error(`There is no application "${name}" on this page.`);
  highlighted = name;
  markHighlighted();
  row.scrollIntoView({ block: 'center' });
  return { highlighted: name };
}

function markHighlighted() {
  for (const row of rows.children) {
    row.classList.toggle('highlighted', row.dataset.name === highlighted);
  }
}

function showOnly({ status }) {
  chosen = status;
  return { shown: applyFilter() };
}

function applyFilter() {
  const status = chosen;
  let shown = 0;
  for (const row of rows.children) {
    row.hidden = status !== 'all' && row.dataset.status !== status;
    if (!row.hidden) shown += 1;
  }
  filter.hidden = status === 'all';
  filter.textContent = `Only ${status} applications: ${shown}`;
  return shown;
}

if (account() === undefined) toLogIn();
else {
  document.querySelector('#who').textContent = account().id;
  chat.headers = headers;
  // On a small screen the chat would hide the page.
  chat.open = matchMedia('(min-width: 60rem)').matches;
  chat.environmentContext = ['The user looks at the dashboard of the platform.'];
  chat.addEventListener('agent-unauthorized', toLogIn);
  await customElements.whenDefined('agent-chat');
  chat.registerTool({
    name: 'highlight_application',
    description: 'Highlight one application in the table on the dashboard page',
    input_schema: {
      type: 'object',
      properties: { name: { type: 'string', description: 'Name of the application' } },
      required: ['name'],
      additionalProperties: false,
    },
    run: highlight,
  });
  chat.registerTool({
    name: 'filter_applications',
    description: 'Show only the applications of one status in the table on the dashboard page',
    input_schema: {
      type: 'object',
      properties: {
        status: { type: 'string', enum: ['all', 'healthy', 'degraded', 'stopped'] },
      },
      required: ['status'],
      additionalProperties: false,
    },
    run: showOnly,
  });
  // What the agent changes at the server, the page shows at once.
  chat.addEventListener('agent-event', ({ detail }) => {
    if (detail.type === 'tool.result' && !detail.isError) void show();
  });
  await show();
}
