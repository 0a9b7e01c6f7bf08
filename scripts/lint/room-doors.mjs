import { existsSync } from 'node:fs';
import path from 'node:path';

const INDEX = 'index.ts';

/**
 * A folder with an `index.ts` is a room, and the index is its only door: a file outside the room
 * imports from an index, never from a file behind it. Files of an enclosing room are not outside.
 */
export const roomDoors = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { past: 'Import from the index of "{{room}}", not from a file behind it.' },
  },
  create(context) {
    const check = (node) => {
      const specifier = node.source?.value;
      if (typeof specifier !== 'string' || !specifier.startsWith('.')) return;
      const room = roomPassed(context.filename, specifier);
      if (room !== undefined) context.report({ node, messageId: 'past', data: { room } });
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    };
  },
};

/** The room that an import enters without its index. */
export function roomPassed(importer, specifier) {
  const target = fileOf(path.resolve(path.dirname(importer), specifier));
  if (target === undefined || path.basename(target) === INDEX) return undefined;
  for (let room = path.dirname(target); !isWithin(importer, room); room = path.dirname(room)) {
    if (existsSync(path.join(room, INDEX))) return path.basename(room);
  }
  return undefined;
}

function fileOf(base) {
  return [`${base}.ts`, path.join(base, INDEX)].find((file) => existsSync(file));
}

function isWithin(file, folder) {
  return file.startsWith(`${folder}${path.sep}`);
}
