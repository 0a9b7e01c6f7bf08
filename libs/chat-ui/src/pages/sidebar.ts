// The script of the sidebar example: the same element beside a page, with tools of the page's own.
import { followLogIn } from './log-in';

const chat = document.querySelector('agent-chat');
const notes = document.querySelector('#notes');

if (chat && notes) {
  followLogIn(chat);
  // On a small screen the chat would hide the page.
  chat.toggleAttribute('open', matchMedia('(min-width: 60rem)').matches);
  void customElements.whenDefined('agent-chat').then(() => {
    chat.registerTool<{ text: string }>({
      name: 'add_note',
      description: 'Write a note into the list of notes on the page',
      input_schema: {
        type: 'object',
        properties: { text: { type: 'string', description: 'The note' } },
        required: ['text'],
        additionalProperties: false,
      },
      run: ({ text }) => {
        const note = document.createElement('li');
        note.textContent = text;
        notes.append(note);
        return { notes: notes.childElementCount };
      },
    });
  });
}
