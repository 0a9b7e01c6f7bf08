import { ReactParser, type ReactPiece } from './react.parser';

const OFFERED = new Set(['add', 'echo']);

/** Reads a text in pieces of some size, and joins what belongs together. */
function read(text: string, size: number, isCut = false): readonly ReactPiece[] {
  const parser = new ReactParser(OFFERED);
  const pieces: ReactPiece[] = [];
  for (let at = 0; at < text.length; at += size) {
    pieces.push(...parser.add(text.slice(at, at + size)));
  }
  pieces.push(...parser.finish(isCut));
  const joined: ReactPiece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (piece.type === 'text' && last?.type === 'text') {
      joined[joined.length - 1] = { type: 'text', text: last.text + piece.text };
    } else if (piece.type === 'thought' && last?.type === 'thought') {
      joined[joined.length - 1] = { type: 'thought', text: last.text + piece.text };
    } else joined.push(piece);
  }
  return joined
    .map((piece) => ('text' in piece ? { ...piece, text: piece.text.trim() } : piece))
    .filter((piece) => piece.type === 'call' || piece.text !== '');
}

const text = (said: string): ReactPiece => ({ type: 'text', text: said });
const thought = (said: string): ReactPiece => ({ type: 'thought', text: said });
const add = { type: 'call', call: { name: 'add', input: { a: 1, b: 2 } } } as const;
const JSON_CALL = '{"name":"add","arguments":{"a":1,"b":2}}';

describe('ReactParser', () => {
  const cases: readonly (readonly [string, string, readonly ReactPiece[]])[] = [
    ['plain text', 'Hello, a < b and c > d.', [text('Hello, a < b and c > d.')]],
    ['an answer', '<answer>It is 3.</answer>', [text('It is 3.')]],
    ['an unclosed answer', '<answer>It is 3.', [text('It is 3.')]],
    ['a question', '<ask>Which one?</ask>', [text('Which one?')]],
    [
      'thought and call',
      `<think>I add.</think>\n<tool_call>${JSON_CALL}</tool_call>`,
      [thought('I add.'), add],
    ],
    ['a call without its closing tag', `<tool_call>${JSON_CALL}`, [add]],
    [
      'a thought without its closing tag',
      `<think>I add.\n<tool_call>${JSON_CALL}`,
      [thought('I add.'), add],
    ],
    ['bare JSON', JSON_CALL, [add]],
    ['bare JSON after text', `Let me see.\n${JSON_CALL}`, [text('Let me see.'), add]],
    ['a fenced block', `Sure:\n\`\`\`json\n${JSON_CALL}\n\`\`\``, [text('Sure:'), add]],
    ['a fence that is left open', `\`\`\`\n${JSON_CALL}`, [add]],
    [
      'a fence inside the tag',
      `<tool_call>\n\`\`\`json\n${JSON_CALL}\n\`\`\`\n</tool_call>`,
      [add],
    ],
    [
      'two calls',
      `<tool_call>${JSON_CALL}</tool_call><tool_call>${JSON_CALL}</tool_call>`,
      [add, add],
    ],
    ['a list of calls', `<tool_call>[${JSON_CALL},${JSON_CALL}]</tool_call>`, [add, add]],
    [
      'other names for the fields',
      '<action>{"tool":"add","action_input":{"a":1,"b":2}}</action>',
      [add],
    ],
    ['arguments as text', '{"name":"add","arguments":"{\\"a\\":1,\\"b\\":2}"}', [add]],
    [
      'almost JSON',
      "<tool_call>{'name': 'add', 'arguments': {'a': 1, 'b': 2,}}</tool_call>",
      [add],
    ],
    [
      'markup inside a string',
      '<tool_call>{"name":"echo","arguments":{"m":"</tool_call> \\"x\\" {"}}</tool_call>',
      [{ type: 'call', call: { name: 'echo', input: { m: '</tool_call> "x" {' } } }],
    ],
    ['what it makes up after a call', `<tool_call>${JSON_CALL}</tool_call>\nIt is 3!`, [add]],
    [
      'an observation it makes up',
      `<tool_call>${JSON_CALL}</tool_call><observation>3</observation><answer>3</answer>`,
      [add],
    ],
    [
      'JSON that calls nothing',
      '{"total": 3, "name": "Bob"}',
      [text('{"total": 3, "name": "Bob"}')],
    ],
    [
      'code',
      'See:\n```ts\nconst a = { b: 1 }; // <answer>\n```\nDone.',
      [text('See:\n```ts\nconst a = { b: 1 }; // <answer>\n```\nDone.')],
    ],
    ['html', 'Use <b>bold</b> and <tool> tags.', [text('Use <b>bold</b> and <tool> tags.')]],
    [
      'a broken call',
      '<tool_call>{"name":"add","arguments":{"a":</tool_call>',
      [{ type: 'malformed', text: '{"name":"add","arguments":{"a":' }],
    ],
    [
      'no JSON in the tag',
      '<tool_call>add(1, 2)</tool_call>',
      [{ type: 'malformed', text: 'add(1, 2)' }],
    ],
    ['a tag that breaks off', 'Well<tool_c', [text('Well')]],
  ];

  it.each(cases)('reads %s', (_, written, expected) => {
    for (const size of [1, 2, 3, 7, written.length]) {
      expect(read(written, size)).toEqual(expected);
    }
  });

  it('says nothing of a call that was cut off by the length', () => {
    expect(read('Wait. <tool_call>{"name":"add","argu', 1, true)).toEqual([text('Wait.')]);
  });
});
