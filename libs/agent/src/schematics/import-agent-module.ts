const IMPORT = "import { AgentModule } from 'nestjs-agent';\n";
const CALL = 'AgentModule.forRoot()';
const LAST_IMPORT = /^import\s[^;]*?['"][^'"]+['"];?[^\S\n]*\n(?![^]*^import\s)/m;
const MODULE = /@Module\(\{/g;
const MODULE_IMPORTS = /(\bimports:\s*\[)\s*(\]?)/;

/**
 * A root module's source with `AgentModule` among its imports: unchanged where it is there already,
 * `undefined` where the source is not of the usual shape and a person had better do it.
 */
export function importAgentModule(source: string): string | undefined {
  if (/\bAgentModule\b/.test(source)) return source;
  const lastImport = LAST_IMPORT.exec(source);
  if (!lastImport || source.match(MODULE)?.length !== 1) return undefined;
  const end = lastImport.index + lastImport[0].length;
  const head = source.slice(0, end) + IMPORT;
  const body = source.slice(end);
  const entry = (_: string, start: string, bracket: string) =>
    `${start}${CALL}${bracket === ']' ? ']' : ', '}`;
  if (MODULE_IMPORTS.test(body)) return head + body.replace(MODULE_IMPORTS, entry);
  // Such as `imports: MODULES`.
  if (/\bimports\b/.test(body)) return undefined;
  return head + body.replace('@Module({', `@Module({\n  imports: [${CALL}],`);
}
