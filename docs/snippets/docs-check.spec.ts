import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const REPOSITORY = join(__dirname, '../..');
const FENCE = '```';

/** The scripts look at the repository that they lie in, so each test has one of its own. */
describe('the scripts that check the guides', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'nestjs-agent-docs-'));
    for (const path of ['scripts/docs', 'scripts/package/paths.mjs']) {
      cpSync(join(REPOSITORY, path), join(root, path), { recursive: true });
    }
    const pages = ['CONTRIBUTING.md', 'CHANGELOG.md', 'docs/guide.md', 'examples/shop/README.md'];
    for (const page of pages) {
      write(page, '# A page\n');
    }
    listGuides('[The guide](docs/guide.md)');
    write('docs/snippets/guide/guide.spec.ts', "import './shop';\n");
    write(
      'docs/snippets/guide/shop.ts',
      [
        'class Shop {',
        '  // #region open',
        '  open() {',
        '    this.isOpen = true;',
        '  }',
        '  // #endregion open',
        '',
        '  // #region close',
        '  close() {}',
        '  // #endregion close',
        '  // #region open',
        '  sell() {}',
        '  // #endregion open',
        '  // #region endless',
        '}',
        '',
      ].join('\n'),
    );
  });
  afterEach(() => {
    rmSync(root, { recursive: true });
  });

  function listGuides(guides: string): void {
    write('README.md', `# A page\n\n## Guides\n\n| Start | ${guides} |\n`);
  }

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }

  function run(script: string, ...args: string[]): { status: number | null; told: string[] } {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(root, 'scripts/docs', script), ...args],
      { encoding: 'utf8' },
    );
    return { status, told: `${stdout}${stderr}`.split('\n').filter((line) => line !== '') };
  }

  function showing(name: string, code = ''): string {
    return `# Guide\n\nText.\n\n${FENCE}ts file=snippets/guide/${name}\n${code}${FENCE}\n`;
  }

  it('have nothing to say of pages that are right', () => {
    expect(run('embed.mjs', '--check')).toEqual({ status: 0, told: [] });
    expect(run('links.mjs')).toEqual({ status: 0, told: [] });
  });

  describe('embed', () => {
    it('puts the pieces of a region into the page, without marks and margin', () => {
      write('docs/guide.md', showing('shop.ts#open', 'old();\n'));

      expect(run('embed.mjs')).toEqual({ status: 0, told: [] });

      const code = 'open() {\n  this.isOpen = true;\n}\n\nsell() {}\n';
      expect(readFileSync(join(root, 'docs/guide.md'), 'utf8')).toBe(showing('shop.ts#open', code));
      expect(run('embed.mjs', '--check')).toEqual({ status: 0, told: [] });
    });

    it('names the file above a declaration, with a link to all of it', () => {
      const code = 'export class Shop {}\n';
      const line = '**[`shop.ts`](snippets/guide/shop.ts)**\n\n';
      const page = showing('shop.ts', code).replace(FENCE, `${line}${FENCE}`);
      write('docs/snippets/guide/shop.ts', code);
      write('docs/guide.md', showing('shop.ts', code));
      expect(run('embed.mjs', '--check')).toEqual({
        status: 1,
        told: ['docs/guide.md:5 shows other code than docs/snippets/guide/shop.ts: npm run docs'],
      });

      run('embed.mjs');
      expect(readFileSync(join(root, 'docs/guide.md'), 'utf8')).toBe(page);
      run('embed.mjs');
      expect(readFileSync(join(root, 'docs/guide.md'), 'utf8')).toBe(page);
      expect(run('embed.mjs', '--check')).toEqual({ status: 0, told: [] });

      write('docs/guide.md', page.replace('`shop.ts`', '`other.ts`'));
      expect(run('embed.mjs', '--check')).toMatchObject({ status: 1 });
    });

    it('takes commands that install or run a script as they stand, and no others', () => {
      const page = (commands: string) => `# A page\n\n${FENCE}sh\n${commands}\n${FENCE}\n`;
      write('docs/guide.md', page('npm install some-package\nnpm start'));
      expect(run('embed.mjs', '--check')).toEqual({ status: 0, told: [] });

      write('docs/guide.md', page('npm start\ncurl http://127.0.0.1'));
      expect(run('embed.mjs', '--check')).toEqual({
        status: 1,
        told: ['docs/guide.md:3 has a sh block without file=…'],
      });
    });

    it('tells which packages a region uses and the page does not name', () => {
      write(
        'docs/snippets/guide/shop.ts',
        [
          "import { Module } from '@nestjs/common';",
          "import { z } from 'zod';",
          "import open, { type Closed as Shut } from 'nestjs-agent/shop';",
          "import { unused } from 'unused';",
          '// #region shop',
          'const shop: Shut = open(Module, z);',
          '// #endregion shop',
          '',
        ].join('\n'),
      );
      write('docs/guide.md', showing('shop.ts#shop'));
      run('embed.mjs');
      expect(run('embed.mjs', '--check')).toEqual({
        status: 1,
        told: [
          'docs/guide.md:5 uses zod, which the page does not name',
          'docs/guide.md:5 uses nestjs-agent/shop, which the page does not name',
        ],
      });

      const page = readFileSync(join(root, 'docs/guide.md'), 'utf8');
      write('docs/guide.md', `${page}\nInstall \`zod\`; \`open\` is of \`nestjs-agent/shop\`.\n`);
      expect(run('embed.mjs', '--check')).toEqual({ status: 0, told: [] });

      write('docs/guide.md', `${page}\nWith its imports: [shop](snippets/guide/shop.ts).\n`);
      expect(run('embed.mjs', '--check')).toEqual({ status: 0, told: [] });
    });

    it('puts a whole file into the page, without the marks of its regions', () => {
      write('docs/guide.md', showing('guide.spec.ts'));
      run('embed.mjs');
      expect(readFileSync(join(root, 'docs/guide.md'), 'utf8')).toContain(
        `${FENCE}ts file=snippets/guide/guide.spec.ts\nimport './shop';\n${FENCE}\n`,
      );
    });

    it('tells by line what is out of date, and leaves the page as it is', () => {
      const page = showing('shop.ts#close', 'old();\n');
      write('docs/guide.md', page);

      expect(run('embed.mjs', '--check')).toEqual({
        status: 1,
        told: ['docs/guide.md:5 shows other code than docs/snippets/guide/shop.ts: npm run docs'],
      });
      expect(readFileSync(join(root, 'docs/guide.md'), 'utf8')).toBe(page);
    });

    it.each([
      ['shop.ts#gone', 'shop.ts: it has no region "gone"'],
      ['shop.ts#endless', 'shop.ts: region "endless" does not end'],
      ['gone.ts', 'gone.ts: there is no such file'],
    ])('tells by line that %s cannot be shown', (name, problem) => {
      write('docs/guide.md', showing(name));
      const told = [`docs/guide.md:5 shows docs/snippets/guide/${problem}`];
      expect(run('embed.mjs', '--check')).toEqual({ status: 1, told });
      expect(run('embed.mjs')).toEqual({ status: 1, told });
    });

    it('tells by line of code that comes from no file', () => {
      write(
        'README.md',
        `# Shop\n\n${FENCE}text\nnpm install\n${FENCE}\n\n${FENCE}ts\n1;\n${FENCE}\n`,
      );
      expect(run('embed.mjs', '--check')).toEqual({
        status: 1,
        told: ['README.md:7 has a ts block without file=…'],
      });
    });

    it('tells of a snippet that no test beside it names', () => {
      write('docs/snippets/guide/forgotten.ts', '');
      expect(run('embed.mjs', '--check')).toEqual({
        status: 1,
        told: ['docs/snippets/guide/forgotten.ts is used by no test beside it'],
      });
    });
  });

  describe('links', () => {
    it('follow files, headings and addresses', () => {
      write('docs/other.md', '# Other\n\n## What `it` does\n\n## Twice\n\n## Twice\n');
      write(
        'docs/guide.md',
        '[a](other.md) [b](other.md#what-it-does) [c](other.md#twice-1) [d](#guide) [e](https://a.example)\n\n# Guide\n',
      );
      listGuides('[The guide](docs/guide.md), [Another](docs/other.md)');
      expect(run('links.mjs')).toEqual({ status: 0, told: [] });
    });

    it('tell by line what leads nowhere', () => {
      write(
        'docs/guide.md',
        '# Guide\n\n[a](gone.md)\nand [b](#gone)\n\n![c](../../out.png)\n\n[d]: ../README.md#gone\n',
      );
      write('examples/shop/README.md', '[a](src/gone.ts)\n');
      expect(run('links.mjs')).toEqual({
        status: 1,
        told: [
          'examples/shop/README.md:1 links to src/gone.ts: there is no examples/shop/src/gone.ts',
          'docs/guide.md:3 links to gone.md: there is no docs/gone.md',
          'docs/guide.md:4 links to #gone: docs/guide.md has no such heading',
          'docs/guide.md:6 links to ../../out.png: it lies outside of the repository',
          'docs/guide.md:8 links to ../README.md#gone: README.md has no such heading',
        ],
      });
    });

    it('tell which guide the README lists under no topic', () => {
      write('docs/other.md', '# Another guide\n');
      expect(run('links.mjs')).toEqual({
        status: 1,
        told: ['docs/other.md is in no topic of the table under "Guides" in README.md'],
      });
    });

    it('take nothing in code for a link', () => {
      write('docs/guide.md', `\`[a](gone.md)\`\n\n${FENCE}text\n[b](gone.md)\n${FENCE}\n`);
      expect(run('links.mjs')).toEqual({ status: 0, told: [] });
    });
  });
});
