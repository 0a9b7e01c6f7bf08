// Converts templates to code: the static member of a class, and its references to other classes.
export { withMembers } from './add-members';
export { canReach, classPathOf, exportedName, importPath } from './class-path';
export { objectOf } from './expression';
export { isNodeModule } from './module-format';
