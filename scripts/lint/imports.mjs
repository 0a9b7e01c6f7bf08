import { existsSync } from 'node:fs';
import path from 'node:path';

const INDEX = 'index.ts';

/**
 * A folder with an `index.ts` is a room, and the index is its only door: a file outside the room
 * imports from an index, never from a file behind it. Files of an enclosing room are not outside.
 */
const doors = ruleOfImports(({ importer, target, report }) => {
  const room = roomPassed(importer, target);
  if (room !== undefined) report(`Import from the index of "${room}", not from a file behind it.`);
});

/**
 * The parts of a source folder: a layer imports only from the layers named before it, a subpath only from
 * layers, and neither from the wiring, unless the subpath is in `wired`. A part is a folder, or a file
 * beside the folders.
 */
const layers = ruleOfImports(({ importer, target, report, options, cwd }) => {
  const src = path.resolve(cwd, options.src);
  if (!isWithin(importer, src) || !isWithin(target, src)) return;
  const [part, other] = [importer, target].map((file) => partOf(file, src));
  const isSubpath = options.subpaths.includes(part);
  if (part === other || !(isSubpath || options.layers.includes(part))) return;
  const lower = isSubpath ? options.layers : options.layers.slice(0, options.layers.indexOf(part));
  const isWired = options.wired.includes(part) && options.wiring.includes(other);
  const isKnown = [...options.layers, ...options.subpaths, ...options.wiring].includes(other);
  if (isKnown && !isWired && !lower.includes(other))
    report(`${part}/ may import only from: ${lower.join(', ') || 'nothing'}.`);
});

/**
 * Requires `import type` for names that only types use. In a file with decorators their metadata uses
 * them as values, which oxlint's own rule does not support (oxc-project/oxc#13609).
 */
const typeImports = {
  meta: { type: 'problem' },
  create(context) {
    const found = [];
    let isDecorated = false;
    return {
      Decorator: () => {
        isDecorated = true;
      },
      ImportDeclaration: (node) => {
        if (node.importKind === 'type') return;
        for (const { identifiers, references } of context.sourceCode.getDeclaredVariables(node)) {
          const { parent } = identifiers[0];
          const isType = references.length > 0 && references.every((one) => one.isTypeReference);
          if (isType && parent.importKind !== 'type') found.push(parent);
        }
      },
      'Program:exit': () => {
        if (isDecorated) return;
        for (const node of found)
          context.report({ node, message: `Import "${node.local.name}" with \`type\`: no value.` });
      },
    };
  },
};

/** The project's own rules: which file may import which, and how (docs/architecture.md). */
export default {
  meta: { name: 'imports' },
  rules: { doors, layers, 'type-imports': typeImports },
};

/** A rule that looks at each import of a file by a relative path. */
function ruleOfImports(check) {
  return {
    meta: { type: 'problem', schema: false },
    create(context) {
      const { filename: importer, options, cwd } = context;
      const look = (node, source) => {
        if (typeof source?.value !== 'string' || !source.value.startsWith('.')) return;
        const target = fileOf(path.resolve(path.dirname(importer), source.value));
        const report = (message) => context.report({ node, message });
        if (target !== undefined) check({ importer, target, report, options: options[0], cwd });
      };
      const visit = (node) => look(node, node.source);
      return {
        ImportDeclaration: visit,
        ImportExpression: visit,
        TSImportType: visit,
        ExportNamedDeclaration: visit,
        ExportAllDeclaration: visit,
        CallExpression: (node) => {
          if (node.callee.name === 'require') look(node, node.arguments[0]);
        },
      };
    },
  };
}

/** The room that an import enters without its index. */
function roomPassed(importer, target) {
  if (path.basename(target) === INDEX) return undefined;
  for (let room = path.dirname(target); !isWithin(importer, room); room = path.dirname(room)) {
    if (existsSync(path.join(room, INDEX))) return path.basename(room);
  }
  return undefined;
}

function partOf(file, src) {
  return path.relative(src, file).split(path.sep)[0].replace(/\.ts$/, '');
}

function fileOf(base) {
  return [`${base}.ts`, path.join(base, INDEX)].find((file) => existsSync(file));
}

function isWithin(file, folder) {
  return file.startsWith(`${folder}${path.sep}`);
}
