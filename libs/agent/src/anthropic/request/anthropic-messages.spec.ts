import fc from 'fast-check';
import { anyHistory } from '../../model/fixtures/history.arbitrary';
import { namesOf } from '../../model/tool-calls';
import { anthropicId, toAnthropicMessages } from './anthropic-messages';
import { fromAnthropicMessages } from './fixtures/anthropic-history';
import { anthropicNormalForm } from './fixtures/anthropic.normal-form';
import { brokenAnthropicRules } from './fixtures/anthropic.rules';

describe('toAnthropicMessages', () => {
  it('makes of any valid history one that the API takes', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        expect(brokenAnthropicRules(toAnthropicMessages(history))).toEqual([]);
      }),
    );
  });

  it('loses nothing that the API has room for', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const { nameOf } = namesOf({ messages: history, tools: [] });
        const back = fromAnthropicMessages(toAnthropicMessages(history), nameOf);
        expect(back).toEqual(anthropicNormalForm(history));
      }),
      { numRuns: 300 },
    );
  });

  it('keeps different ids different', () => {
    const id = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('\ud83d', '\ud83e', 'i') }));
    fc.assert(
      fc.property(id, id, (a, b) => {
        expect(anthropicId(a) === anthropicId(b)).toBe(a === b);
        // A changed id never equals an unchanged one.
        expect(anthropicId(anthropicId(`!${a}`))).not.toBe(anthropicId(`!${a}`));
      }),
    );
  });
});
