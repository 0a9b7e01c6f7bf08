const CALL = 'AgentModule.forRoot()';
const LAST_IMPORT = /^import\s[^;]*?(['"])[^'"]+['"](;?)[^\S\n]*\n(?![^]*^import\s)/m;
const MODULE = /@Module\(\{/g;
const MODULE_IMPORTS = /(\bimports:\s*\[)(\s*)(\]?)/;
const FIRST_FIELD = /@Module\(\{(\s*)/;

/**
 * Adds `AgentModule` to a root module's imports, with the file's own quotes, semicolons and
 * indentation. Returns the source unchanged if it is imported already, and `undefined` if the
 * source has an unusual shape and needs a manual edit.
 */
export function importAgentModule(source: string): string | undefined {
  if (/\bAgentModule\b/.test(source)) return source;
  const lastImport = LAST_IMPORT.exec(source);
  if (!lastImport || source.match(MODULE)?.length !== 1) return undefined;
  const [text, quote = "'", semicolon = ''] = lastImport;
  const end = lastImport.index + text.length;
  const line = `import { AgentModule } from ${quote}nestjs-agent${quote}${semicolon}\n`;
  const head = source.slice(0, end) + line;
  const body = source.slice(end);
  if (MODULE_IMPORTS.test(body)) return head + body.replace(MODULE_IMPORTS, withEntry);
  // Such as `imports: MODULES`.
  if (/\bimports\b/.test(body)) return undefined;
  return head + body.replace(FIRST_FIELD, withImports);
}

/** A single-line list stays on one line; in a multi-line list the entry gets its own line. */
function withEntry(_: string, start: string, space: string, bracket: string): string {
  if (bracket === ']') return `${start}${CALL}]`;
  return `${start}${space}${CALL},${space === '' ? ' ' : space}`;
}

function withImports(_: string, space: string): string {
  const before = space.includes('\n') ? space : '\n  ';
  return `@Module({${before}imports: [${CALL}],${before}`;
}
