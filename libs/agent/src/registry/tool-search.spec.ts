import { defineTool } from './runtime-tools';
import { ToolSearch } from './tool-search';

describe('ToolSearch', () => {
  it('finds nothing for a huge word, whose comparison would take its length squared in memory', () => {
    const tool = defineTool({ name: 'list', description: 'List orders', execute: () => [] });
    expect(new ToolSearch([tool]).search('o'.repeat(250_000))).toEqual([]);
  });
});
