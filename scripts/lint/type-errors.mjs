import ts from 'typescript';

/**
 * What the compiler says of a file. Lint has made its program and asked for most of its types, so
 * this takes a fraction of a run of the compiler.
 */
export const typeErrors = {
  meta: { type: 'problem', schema: [], messages: { error: 'TS{{code}}: {{text}}' } },
  create({ report, sourceCode }) {
    const { program, esTreeNodeToTSNodeMap } = sourceCode.parserServices;
    return {
      Program(node) {
        const file = esTreeNodeToTSNodeMap.get(node);
        const errors = [
          ...program.getSyntacticDiagnostics(file),
          ...program.getSemanticDiagnostics(file),
        ];
        for (const { code, start = 0, messageText } of errors) {
          report({
            loc: sourceCode.getLocFromIndex(start),
            messageId: 'error',
            data: { code, text: ts.flattenDiagnosticMessageText(messageText, '\n') },
          });
        }
      },
    };
  },
};
