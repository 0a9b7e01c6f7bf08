import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';

/**
 * Makes compiled files require each name from the file that declares it, instead of the index of
 * its room, which would load the whole room. Sources keep to the index; an import of the package
 * then loads half of the files.
 */
export function requireDirectly(folder) {
  const modules = new Modules();
  for (const file of readdirSync(folder, { recursive: true })) {
    if (!file.endsWith('.js') || file.split(/[\\/]/).includes('node_modules')) continue;
    const path = join(folder, file);
    const code = modules.of(path).rewritten();
    if (code !== undefined) writeFileSync(path, code);
  }
}

/** Files as they were compiled, by path. */
class Modules {
  #known = new Map();

  of(path) {
    if (!this.#known.has(path)) this.#known.set(path, new CompiledModule(path, this));
    return this.#known.get(path);
  }
}

/** A compiled file: the files that it requires, and the names that it re-exports. */
class CompiledModule {
  /** The required files by variable. */
  #required = new Map();
  /** Pairs of a required file's variable and a name, by the re-exported name. */
  #passedOn = new Map();
  /** Files whose names are all re-exported. */
  #whole = [];
  #own = new Set();

  constructor(path, modules) {
    this.path = path;
    this.modules = modules;
    this.code = readFileSync(path, 'utf8');
    this.source = ts.createSourceFile(path, this.code, ts.ScriptTarget.Latest, true);
    for (const statement of this.source.statements) this.#read(statement);
  }

  /** The path of the file that declares an export, and the export's name there. */
  declarationOf(name) {
    const passed = this.#passedOn.get(name);
    if (passed !== undefined) {
      const [variable, original] = passed;
      const target = this.#required.get(variable);
      return target && this.modules.of(target.path).declarationOf(original);
    }
    if (this.#own.has(name)) return { path: this.path, name };
    for (const path of this.#whole) {
      const found = this.modules.of(path).declarationOf(name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The code with direct requires; `undefined` if nothing changes. */
  rewritten() {
    const edits = [...this.#required].flatMap(([variable, target]) =>
      this.#edits(variable, target),
    );
    if (edits.length === 0) return undefined;
    let code = this.code;
    for (const { start, end, text } of edits.sort((a, b) => b.start - a.start)) {
      code = code.slice(0, start) + text + code.slice(end);
    }
    return code;
  }

  #read(statement) {
    const required = requiredBy(statement);
    if (required !== undefined) {
      const path = this.#resolved(required.specifier);
      if (path !== undefined) this.#required.set(required.variable, { path, statement });
      return;
    }
    const call = ts.isExpressionStatement(statement) ? statement.expression : undefined;
    if (call === undefined) return;
    if (ts.isBinaryExpression(call)) {
      for (let each = call; ts.isBinaryExpression(each); each = each.right) {
        const { left } = each;
        if (ts.isPropertyAccessExpression(left) && left.expression.getText() === 'exports')
          this.#own.add(left.name.text);
      }
      return;
    }
    if (!ts.isCallExpression(call)) return;
    const callee = call.expression.getText();
    const [first, second, third] = call.arguments;
    if (callee === 'Object.defineProperty' && first.getText() === 'exports') {
      const getter = /return (\w+)\.(\w+);/.exec(third.getText());
      if (getter) this.#passedOn.set(second.text, [getter[1], getter[2]]);
    }
    if (callee.endsWith('__exportStar') && ts.isCallExpression(first)) {
      const path = this.#resolved(first.arguments[0].text);
      if (path !== undefined) this.#whole.push(path);
    }
  }

  #edits(variable, { path, statement }) {
    const uses = usesOf(this.source, variable, statement);
    // Used as a whole, or not at all.
    if (uses === undefined || uses.length === 0) return [];
    const target = this.modules.of(path);
    const declared = uses.map(({ name }) => target.declarationOf(name.text));
    if (declared.some((each) => each === undefined)) {
      const missing = uses[declared.indexOf(undefined)].getText();
      throw new Error(`${this.path} uses ${missing}, and no file declares it.`);
    }
    const files = [...new Set(declared.map((each) => each.path))];
    if (files.length === 1 && files[0] === path) return [];
    const nameOf = (index) => (index === 0 ? variable : `${variable}_${index}`);
    const names = new Map(files.map((file, index) => [file, nameOf(index)]));
    const requires = files.map(
      (file) => `const ${names.get(file)} = require(${JSON.stringify(this.#specifier(file))});`,
    );
    return [
      { start: statement.getStart(), end: statement.getEnd(), text: requires.join('\n') },
      ...uses.map((use, index) => ({
        start: use.getStart(),
        end: use.getEnd(),
        text: `${names.get(declared[index].path)}.${declared[index].name}`,
      })),
    ];
  }

  #resolved(specifier) {
    if (!specifier.startsWith('.')) return undefined;
    const path = resolve(dirname(this.path), specifier);
    return [path, `${path}.js`, join(path, 'index.js')].find(isFile);
  }

  #specifier(file) {
    const path = relative(dirname(this.path), file).replaceAll('\\', '/').replace(/\.js$/, '');
    return path.startsWith('.') ? path : `./${path}`;
  }
}

/** The variable and specifier of `const a = require("b");`. */
function requiredBy(statement) {
  if (!ts.isVariableStatement(statement)) return undefined;
  const [declaration, ...others] = statement.declarationList.declarations;
  const call = declaration.initializer;
  if (others.length > 0 || call === undefined || !ts.isCallExpression(call)) return undefined;
  if (call.expression.getText() !== 'require' || !ts.isIdentifier(declaration.name))
    return undefined;
  return { variable: declaration.name.text, specifier: call.arguments[0].text };
}

/** All `variable.name` of a file; `undefined` if the variable is used in another way. */
function usesOf(source, variable, declaration) {
  const uses = [];
  let isWhole = false;
  const visit = (node) => {
    if (node === declaration) return;
    if (ts.isIdentifier(node) && node.text === variable) {
      const { parent } = node;
      if (ts.isPropertyAccessExpression(parent) && parent.expression === node) uses.push(parent);
      else isWhole = true;
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return isWhole ? undefined : uses;
}

function isFile(path) {
  return existsSync(path) && statSync(path).isFile();
}
