import fc from 'fast-check';
import { growthOf } from '../../internal/fixtures/growth';
import { ReactParser, type ReactPiece } from './react.parser';

const OFFERED = new Map([
  ['add', undefined],
  ['echo', undefined],
  ['search', 'query'],
]);

/** Reads a text in pieces of some size, and joins the pieces of one kind. */
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
const search = (query: string): ReactPiece => ({
  type: 'call',
  call: { name: 'search', input: { query } },
});
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
    [
      'bare JSON that names its tool last',
      `{"arguments":{"m":"${'x'.repeat(400)}"},"name":"echo"}`,
      [{ type: 'call', call: { name: 'echo', input: { m: 'x'.repeat(400) } } }],
    ],
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
    [
      'the classic form',
      'Thought: I add.\nAction: add\nAction Input: {"a": 1, "b": 2}',
      [thought('I add.'), add],
    ],
    [
      'the classic form in bold, over several lines',
      '**Thought:** I\nadd.\n\n**Action:** `add`\n**Action Input:**\n{\n"a": 1,\n"b": 2\n}\n',
      [thought('I\nadd.'), add],
    ],
    ['a fenced input', 'Action: add\nAction Input: ```json\n{"a":1,"b":2}\n```', [add]],
    ['an action in JSON', `Action:\n\`\`\`json\n${JSON_CALL}\n\`\`\``, [add]],
    ['an action after text', `Let me see.\nAction: ${JSON_CALL}`, [text('Let me see.'), add]],
    [
      'an action without input',
      'Action: add\nThought: and wait',
      [{ type: 'call', call: { name: 'add', input: {} } }, thought('and wait')],
    ],
    [
      'an action with an empty input',
      'Action: add\nAction Input:\nObservation: 3\nFinal Answer: 3',
      [{ type: 'call', call: { name: 'add', input: {} } }],
    ],
    [
      'an action of no tool there is',
      'Action: mul\nAction Input: {"a":1}',
      [{ type: 'call', call: { name: 'mul', input: { a: 1 } } }],
    ],
    [
      'what it makes up after an action',
      'Action: add\nAction Input: {"a":1,"b":2}\nObservation: 3\nAction: add\nAction Input: {}',
      [add],
    ],
    [
      'two actions',
      'Action: add\nAction Input: {"a":1,"b":2}\nAction: add\nAction Input: {"a":1,"b":2}',
      [add, add],
    ],
    [
      'a final answer',
      'Thought: I know.\nFinal Answer: It is 3.',
      [thought('I know.'), text('It is 3.')],
    ],
    [
      'an answer without the word final, as LlamaIndex teaches it',
      'Thought: I can answer.\nAnswer: It is 3.\nAnswer: is also a word.',
      [thought('I can answer.'), text('It is 3.\nAnswer: is also a word.')],
    ],
    ['an answer without a thought', 'Answer: It is 3.', [text('It is 3.')]],
    ['an answer of which text speaks', 'See:\nAnswer: 3', [text('See:\nAnswer: 3')]],
    [
      'an input that is no JSON',
      'Thought: I add.\nAction: add\nAction Input: 1 and 2\nObservation: 3\nFinal Answer: 3',
      [thought('I add.'), { type: 'malformed', text: 'add: 1 and 2' }],
    ],
    [
      "the paper's numbered steps",
      'Thought 1: I look.\nAction 1: search[Apple Remote]\nObservation 1: A remote.\nAction 2: Finish[TV]',
      [thought('I look.'), search('Apple Remote')],
    ],
    [
      "the paper's end",
      'Thought 2: Done.\nAction 2: Finish[It is 3.]',
      [thought('Done.'), text('It is 3.')],
    ],
    [
      'a text for a tool that takes one',
      'Action: search\nAction Input: Apple\nRemote',
      [search('Apple\nRemote')],
    ],
    [
      'a text in quotes, before the next line',
      'Action: search\nAction Input: "Apple"\nObservation: none',
      [search('Apple')],
    ],
    ['a function with one text', 'Action: search("Apple")', [search('Apple')]],
    [
      'an answer in the form of a call',
      'Thought: Done.\nAction:\n```json\n{"action": "Final Answer", "action_input": "It is 3."}\n```',
      [thought('Done.'), text('It is 3.')],
    ],
    [
      'the same, bare',
      '{"action": "Final Answer", "action_input": "It is 3."}',
      [text('It is 3.')],
    ],
    ['the same, in lines', 'Action: Final Answer\nAction Input: It is 3.', [text('It is 3.')]],
    ['an action like a function', 'Action: add(1, 2)', [{ type: 'malformed', text: 'add(1, 2)' }]],
    [
      'sentences that begin like the classic form',
      'Sure.\nAction: call your bank.\nAction items:\n- add it\nThought: none.\nObservation: the sky',
      [
        text(
          'Sure.\nAction: call your bank.\nAction items:\n- add it\nThought: none.\nObservation: the sky',
        ),
      ],
    ],
    [
      'a line too long for an action',
      `Action: add(${'1, '.repeat(100)})\nWell.`,
      [text(`Action: add(${'1, '.repeat(100)})\nWell.`)],
    ],
    ['a line that breaks off', 'Well.\nActi', [text('Well.\nActi')]],
  ];

  it.each(cases)('reads %s', (_, written, expected) => {
    for (const size of [1, 2, 3, 7, written.length]) {
      expect(read(written, size)).toEqual(expected);
    }
  });

  it('reads the same however the text is cut', () => {
    const fragment = fc.oneof(
      fc.constantFrom(
        ...['Thought: ', 'Action: ', 'Action Input: ', 'Observation: ', 'Final Answer: ', '**'],
        'Answer: ',
        ...['<think>', '</think>', '<tool_call>', '</tool_call>', '<answer>', '<observation>'],
        ...['add', 'ad', JSON_CALL, '{"a": 1}', '{"a":', '```', '```json\n', '`', '\n', '\n', ' '],
      ),
      fc.string({ maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 12 }), fc.boolean(), (fragments, isCut) => {
        const text = fragments.join('');
        expect(read(text, 1, isCut)).toEqual(read(text, text.length + 1, isCut));
      }),
      { numRuns: 2000 },
    );
  });

  const argument = (size: number) => `"arguments":{"m":"${'x'.repeat(size)}"}}`;
  it.each<[what: string, written: (size: number) => string]>([
    ['blank lines', (size) => '\n'.repeat(size)],
    ['blank lines of code', (size) => `\`\`\`ts${'\n'.repeat(size)}x`],
    ['braces', (size) => '{\n'.repeat(size / 2)],
    ['letters of an argument', (size) => `<tool_call>{"name":"echo",${argument(size)}`],
    ['letters of an argument without a tag', (size) => `{"name":"echo",${argument(size)}`],
    ['letters of an argument in a fence', (size) => `\`\`\`\n{"name":"echo",${argument(size)}`],
    ['letters of an action', (size) => `Action: echo\nAction Input: {"m":"${'x'.repeat(size)}"}`],
    ['letters of a call that never ends', (size) => `<tool_call>${'x'.repeat(size)}`],
    ['blanks after an action', (size) => `Action:${' '.repeat(size)}`],
    ['blanks in an action', (size) => `Action: a${' '.repeat(size)}b\n`],
    ['blanks before an input', (size) => `Action: add\nAction Input:${' '.repeat(size)}`],
    ['blank lines of an input', (size) => `Action: search\nAction Input: x${'\n'.repeat(size)}`],
    ['lines of blanks', (size) => `${' '.repeat(195)}!\n`.repeat(size / 50)],
  ])('takes no more time for each of many %s', (_, written) => {
    const readAll = (size: number): void => {
      const text = written(size);
      for (const piece of [5, text.length]) {
        const parser = new ReactParser(OFFERED);
        for (let at = 0; at < text.length; at += piece) parser.add(text.slice(at, at + piece));
        parser.finish();
      }
    };
    expect(growthOf(readAll, 10_000)).toBeLessThan(9);
  });

  it('says nothing of a call that was cut off by the length', () => {
    expect(read('Wait. <tool_call>{"name":"add","argu', 1, true)).toEqual([text('Wait.')]);
    const action = 'Wait.\nAction: add\nAction Input: {"a":1';
    for (let end = 'Wait.\nAction: a'.length; end <= action.length; end++) {
      expect(read(action.slice(0, end), 1, true)).toEqual([text('Wait.')]);
    }
  });
});
