import {
  ClassReference,
  isPlainData,
  type Template,
  type TemplateValue,
  type TypeScope,
} from '../types';
import { describeAll } from './data-class';

/**
 * The descriptions of package classes that a template names, directly or through other classes: the
 * plugin did not compile them, so they carry no description themselves.
 */
export function packageClasses(template: Template, scope: TypeScope): Template {
  const found = new Map<ClassReference['symbol'], readonly TemplateValue[]>();
  const visit = (value: TemplateValue): void => {
    if (typeof value !== 'object' || value === null) return;
    if (!(value instanceof ClassReference)) return Object.values(value).forEach(visit);
    const { symbol } = value;
    const [declaration] = symbol.declarations ?? [];
    if (declaration?.getSourceFile().isDeclarationFile !== true || found.has(symbol)) return;
    const type = scope.checker.getDeclaredTypeOfSymbol(symbol);
    if (!isPlainData(type, scope)) return;
    found.set(symbol, []);
    const properties = describeAll(type, declaration, scope);
    found.set(symbol, [value, { properties }]);
    visit(properties);
  };
  visit(template);
  return found.size > 0 ? { classes: [...found.values()] } : {};
}
