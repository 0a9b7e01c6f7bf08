// #region register
const chat = document.querySelector('agent-chat');

chat.registerTool({
  name: 'open_order',
  description: 'Open an order on the screen of the user',
  input_schema: {
    type: 'object',
    properties: { id: { type: 'integer', description: 'The number of the order' } },
    required: ['id'],
  },
  run({ id }) {
    const row = document.querySelector(`[data-order="${id}"]`);
    if (row === null) throw new Error(`Order ${id} is not on this page.`);
    document.querySelector('#title').textContent = `Order ${id}`;
    return { opened: row.textContent };
  },
});
// #endregion register

// #region ask
chat.registerTool({
  name: 'confirm_by_user',
  description: 'Have the user confirm something on the screen',
  input_schema: { type: 'object', properties: {} },
  run: (_input, { signal }) =>
    new Promise((resolve) => {
      const dialog = document.querySelector('dialog');
      dialog.showModal();
      dialog.querySelector('button').onclick = () => {
        dialog.close();
        resolve('Confirmed.');
      };
      signal.addEventListener('abort', () => dialog.close()); // stopped, or too late
    }),
});
// #endregion ask

// #region ready
chat.enableTools('show_notification', 'set_theme');
// #endregion ready
