import { join, relative } from 'node:path';
import * as ts from 'typescript';

const ROOT = join(__dirname, '../..');

describe('the snippets of the guides', () => {
  it('compile where the application sets exactOptionalPropertyTypes', () => {
    const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
    const json: object = { ...(config as object), include: ['docs/snippets'] };
    const { fileNames, options } = ts.parseJsonConfigFileContent(json, ts.sys, ROOT, {
      noEmit: true,
      exactOptionalPropertyTypes: true,
    });
    const program = ts.createProgram(
      fileNames.filter((name) => !name.endsWith('.spec.ts')),
      options,
    );

    const snippets = program
      .getSourceFiles()
      .filter(({ fileName }) => fileName.startsWith(`${__dirname}/`));
    const problems = snippets
      .flatMap((file) => program.getSemanticDiagnostics(file))
      .map(({ file, messageText }) => {
        const text = ts.flattenDiagnosticMessageText(messageText, '\n');
        return `${relative(ROOT, file?.fileName ?? '')}: ${text}`;
      });

    expect(snippets.length).toBeGreaterThan(0);
    expect(problems).toEqual([]);
  });
});
