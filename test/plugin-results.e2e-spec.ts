import type { Type } from '@nestjs/common';
import { Project } from './plugin/project';
import { ToolApplication } from './support/tool-application';

const RESULT = `export class ToolResult {
  constructor(readonly content: string | readonly object[], readonly isError = false) {}
}
`;

const BLOCKS = `export interface TextBlock { readonly type: 'text'; readonly text: string; readonly providerData?: object }
export interface ImageBlock { readonly type: 'image'; readonly mediaType?: string; readonly data?: string; readonly url?: string }
`;

const ELSEWHERE = `import { ToolResult } from './tool/tool-result';
export const drawn = () => new ToolResult('A picture');
`;

const TOOLS = `import { StreamableFile } from '@nestjs/common/file-stream';
import { Tool } from 'nestjs-agent';
import { drawn } from './elsewhere';
import type { ImageBlock, TextBlock } from './message/content-block';
import { ToolResult } from './tool/tool-result';
const image = { type: 'image', url: 'https://example.com/a.png' } as const;
interface Entry { readonly type: 'file' | 'folder'; readonly name: string }
interface Shown { readonly type: 'image'; readonly width: number }
interface Named { readonly type: 'file'; readonly name: string }
interface Team { readonly type: 'constructor'; readonly url: string }
export abstract class Finder<Found> {
  abstract find(): Found;
  @Tool() async first(): Promise<Found | null> { return Promise.resolve(this.find()); }
  @Tool() page(): { readonly found: Found | string | null } { return { found: this.find() }; }
}
export class PictureTools extends Finder<Entry> {
  find(): Entry { return this.entry(); }
  @Tool() result(): ToolResult { return new ToolResult('A picture'); }
  @Tool() async later() { return Promise.resolve(new ToolResult('A picture')); }
  @Tool() inferred() { return drawn(); }
  @Tool() block(): ImageBlock { return image; }
  @Tool() blocks(): (ImageBlock | TextBlock)[] { return [image]; }
  @Tool() tuple() { return [image, { type: 'text', text: 'A picture' }] as const; }
  @Tool() literal() { return image; }
  @Tool() either(isOne: boolean): Named | ToolResult {
    return isOne ? { type: 'file', name: 'a' } : new ToolResult('A picture');
  }
  @Tool() streamed(): StreamableFile { return new StreamableFile(new Uint8Array(1)); }

  @Tool() entry(): Entry { return { type: 'file', name: 'a' }; }
  @Tool() shown(): Shown { return { type: 'image', width: 3 }; }
  @Tool() named(): Named { return { type: 'file', name: 'a' }; }
  @Tool() team(): Team { return { type: 'constructor', url: 'https://example.com' }; }
}
`;

describe.each(['tsc', 'swc'])('results without decorators, by %s', (compiler) => {
  let project: Project;
  let application: ToolApplication;
  const schemaOf = (name: string) => application.tool(name).definition.output_schema;

  beforeAll(async () => {
    project = new Project({
      'src/tool/tool-result.ts': RESULT,
      'src/message/content-block.ts': BLOCKS,
      'src/elsewhere.ts': ELSEWHERE,
      'src/picture.tools.ts': TOOLS,
    });
    expect(project.withTsc()).toEqual([]);
    if (compiler === 'swc') project.withSwc();
    const { PictureTools } = project.load<Record<'PictureTools', Type<object>>>(
      `${compiler}/picture.tools.js`,
    );
    application = await ToolApplication.boot(
      { providers: [PictureTools] },
      compiler === 'swc' ? { metadata: project.metadata() } : {},
    );
  });
  afterAll(async () => {
    await application.close();
    project.remove();
  });

  it.each([
    'result',
    'later',
    'inferred',
    'block',
    'blocks',
    'tuple',
    'literal',
    'either',
    'streamed',
  ])('have no schema if they are content for the model: %s', (name) => {
    expect(schemaOf(name)).toBeUndefined();
  });

  it.each(['entry', 'shown', 'named', 'team'])(
    'have one if they only look like content: %s',
    (name) => {
      expect(schemaOf(name)).toMatchObject({
        type: 'object',
        required: ['type', expect.any(String)],
      });
    },
  );

  it('have no schema of alternatives if one of them is any value', () => {
    expect(schemaOf('first')).toBeUndefined();
    expect(schemaOf('page')).toEqual({
      type: 'object',
      properties: { found: {} },
      required: ['found'],
    });
  });
});
