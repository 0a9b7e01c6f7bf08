// Templates to code: the static member of a class, and the names by which it reaches other classes.
export { withMembers } from './add-members';
export { canReach, classPathOf, exportedName, importPath } from './class-path';
export { objectOf } from './expression';
export { isNodeModule } from './module-format';
