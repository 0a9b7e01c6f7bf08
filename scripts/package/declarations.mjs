import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { source } from './paths.mjs';

const ts = createRequire(join(source, 'package.json'))('typescript');
const ALL = '*';

/**
 * Removes the declarations that no import of the package reaches: editors would offer them, and
 * they are half of all. A file that only re-exports names keeps those that are used.
 *
 * @param folder the package
 * @param entries the declarations that its manifest names, from the folder on
 */
export function removeUnseenDeclarations(folder, entries) {
  const files = new Map();
  const load = (path) => {
    if (!files.has(path)) files.set(path, new DeclarationFile(path));
    return files.get(path);
  };
  const next = entries.map((entry) => [resolve(folder, entry), ALL]);
  for (let wanted = next.pop(); wanted !== undefined; wanted = next.pop()) {
    const [path, name] = wanted;
    next.push(...load(path).want(name, load));
  }
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!name.endsWith('.d.ts') || name.startsWith('node_modules')) continue;
    const path = join(folder, name);
    const file = files.get(path);
    if (file?.isWanted) file.write();
    else rmSync(path);
  }
}

/** A declaration file, and its used names. */
class DeclarationFile {
  #wanted = new Set();
  /** The statements that re-export a used name. */
  #used = new Set();

  constructor(path) {
    this.path = path;
    this.source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest);
    const { statements } = this.source;
    this.passesOn = statements.length > 0 && statements.every(isExportFrom);
  }

  get isWanted() {
    return this.#wanted.size > 0;
  }

  /**
   * Marks a name as used. Returns the names that it needs in turn, as pairs of a path and a name.
   */
  want(name, load) {
    if (this.#wanted.has(name) || this.#wanted.has(ALL)) return [];
    // A file with declarations of its own stays whole.
    const isFirst = !this.isWanted;
    this.#wanted.add(name);
    if (!this.passesOn) return isFirst ? this.#imports() : [];
    return this.source.statements.flatMap((statement) => {
      const passed = this.#passed(statement, name, load);
      if (passed.length > 0) this.#used.add(statement);
      return passed.map((each) => [this.#resolved(statement.moduleSpecifier.text), each]);
    });
  }

  /** Whether it exports the name. */
  has(name, load) {
    return this.source.statements.some((statement) => {
      if (isExportFrom(statement)) return this.#passed(statement, name, load).length > 0;
      if (ts.isExportDeclaration(statement) && statement.exportClause) {
        return statement.exportClause.elements.some((element) => element.name.text === name);
      }
      const isExported = ts.getCombinedModifierFlags(statement) & ts.ModifierFlags.Export;
      const names = statement.declarationList?.declarations ?? [statement];
      return isExported !== 0 && names.some((each) => each.name?.text === name);
    });
  }

  write() {
    if (!this.passesOn) return writeFileSync(this.path, withoutPrivateComments(this.source));
    if (this.#wanted.has(ALL)) return;
    const text = this.source.statements.flatMap((statement) => this.#kept(statement)).join('\n');
    writeFileSync(this.path, `${text}\n`);
  }

  /** The names of the target that a statement re-exports under the name. */
  #passed({ exportClause, moduleSpecifier }, name, load) {
    if (exportClause === undefined) {
      if (name === ALL) return [ALL];
      return load(this.#resolved(moduleSpecifier.text)).has(name, load) ? [name] : [];
    }
    return exportClause.elements
      .filter((element) => name === ALL || element.name.text === name)
      .map((element) => (element.propertyName ?? element.name).text);
  }

  #kept(statement) {
    if (!this.#used.has(statement)) return [];
    const { exportClause, isTypeOnly, moduleSpecifier } = statement;
    if (exportClause === undefined) return [statement.getText(this.source)];
    const names = exportClause.elements.filter(({ name }) => this.#wanted.has(name.text));
    const list = names.map((element) => element.getText(this.source)).join(', ');
    return [`export ${isTypeOnly ? 'type ' : ''}{ ${list} } from '${moduleSpecifier.text}';`];
  }

  /** All that a whole file imports. */
  #imports() {
    const imported = [];
    const visit = (node) => {
      const specifier = node.moduleSpecifier ?? node.argument?.literal;
      if (specifier?.text?.startsWith('.')) {
        const path = this.#resolved(specifier.text);
        const list = node.importClause?.namedBindings?.elements ?? node.exportClause?.elements;
        const qualifier = ts.isImportTypeNode(node) ? firstName(node.qualifier) : undefined;
        const names = list?.map((each) => (each.propertyName ?? each.name).text);
        for (const name of names ?? [qualifier ?? ALL]) imported.push([path, name]);
      }
      ts.forEachChild(node, visit);
    };
    visit(this.source);
    return imported;
  }

  /** @throws Error if a declaration imports a missing file */
  #resolved(specifier) {
    const path = resolve(dirname(this.path), specifier);
    const found = [`${path}.d.ts`, join(path, 'index.d.ts')].find(existsSync);
    if (found !== undefined) return found;
    throw new Error(`${this.path} imports ${specifier}, which is not there.`);
  }
}

/** The text without the comments of private members, which users cannot access. */
function withoutPrivateComments(source) {
  const cuts = source.statements
    .filter(ts.isClassDeclaration)
    .flatMap(({ members }) => members)
    .filter((member) => ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Private)
    .map((member) => [member.getFullStart(), member.getStart(source)]);
  let text = source.text;
  for (const [from, to] of cuts.reverse()) {
    const space = text.slice(from, to);
    text = `${text.slice(0, from)}${space.replace(/\/\*[^]*?\*\/\s*/g, '')}${text.slice(to)}`;
  }
  return text;
}

function isExportFrom(statement) {
  return (
    ts.isExportDeclaration(statement) &&
    statement.moduleSpecifier?.text.startsWith('.') === true &&
    (statement.exportClause === undefined || ts.isNamedExports(statement.exportClause))
  );
}

function firstName(qualifier) {
  if (qualifier === undefined) return undefined;
  return ts.isIdentifier(qualifier) ? qualifier.text : firstName(qualifier.left);
}
