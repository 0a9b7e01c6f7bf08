import * as ts from 'typescript';
import {
  commentOf,
  isStatic,
  type Template,
  type TypeScope,
  ClassReference,
  type TemplateValue,
  whyNotData,
} from '../types';
import type { PluginSettings } from '../plugin-options';
import { describeProperties, isData, describeAll } from './data-class';
import { toolDecorator } from './decorators';
import type { Problem } from './problem';
import { describeTool } from './tool-method';

/** A class with a description. */
export interface DescribedClass {
  readonly node: ts.ClassLikeDeclaration;
  readonly template: Template;
}

/** The descriptions of one file. */
export interface FileAnalysis {
  readonly classes: readonly DescribedClass[];
  readonly problems: readonly Problem[];
  /** Other files that its types come from. */
  readonly dependencies: ReadonlySet<ts.SourceFile>;
}

/** Whether code of a file can name a class. */
type CanName = (symbol: ts.Symbol, file: ts.SourceFile, program: ts.Program) => boolean;

/** Describes the tools and the DTOs of one file. */
export function analyzeFile(
  file: ts.SourceFile,
  program: ts.Program,
  settings: PluginSettings,
  canName: CanName,
): FileAnalysis {
  const dependencies = new Set<ts.SourceFile>();
  const checker = program.getTypeChecker();
  const scope: TypeScope = {
    program,
    checker,
    canName: (symbol) => canName(symbol, file, program),
    depend: (other) => {
      if (other !== file && !program.isSourceFileDefaultLibrary(other)) dependencies.add(other);
    },
    described: { input: new Map(), output: new Map() },
  };
  const classes: DescribedClass[] = [];
  const problems: Problem[] = [];
  const places = placesOfClasses(file);
  const visit = (node: ts.Node): void => {
    // Most methods contain no class: their bodies need not be searched.
    if (!places.some((place) => node.pos <= place && place < node.end)) return;
    if (ts.isClassLike(node)) {
      const own = describeClass(node, scope, settings, problems);
      const template = { ...own, ...packageClasses(own, scope) };
      if (Object.keys(template).length > 0) classes.push({ node, template });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { classes, problems, dependencies };
}

/** The positions of the word `class` in a source file. */
function placesOfClasses({ isDeclarationFile, text }: ts.SourceFile): readonly number[] {
  return isDeclarationFile ? [] : [...text.matchAll(/\bclass\b/g)].map(({ index }) => index);
}

function describeClass(
  node: ts.ClassLikeDeclaration,
  scope: TypeScope,
  settings: PluginSettings,
  problems: Problem[],
): Template {
  const methods: [string, Template][] = [];
  for (const member of node.members) {
    if (!ts.isMethodDeclaration(member) || isStatic(member)) continue;
    if (!ts.isIdentifier(member.name) && !ts.isStringLiteral(member.name)) continue;
    const tool = toolDecorator(member, scope.checker);
    if (!tool) continue;
    const described = describeTool(member, tool, scope, settings);
    problems.push(...described.problems);
    methods.push([member.name.text, described.template]);
  }
  if (methods.length > 0) {
    const { checker } = scope;
    const description = node.name && commentOf(checker.getSymbolAtLocation(node.name), checker);
    return {
      ...(description !== undefined && { description }),
      methods: Object.fromEntries(methods),
    };
  }
  if (!isData(node, scope, settings)) return {};
  const properties = describeProperties(node, scope);
  return Object.keys(properties).length > 0 ? { properties } : {};
}

/**
 * The descriptions of package classes that a template names, directly or through other classes: the
 * plugin did not compile them, so they carry no description themselves.
 */
function packageClasses(template: Template, scope: TypeScope): Template {
  const found = new Map<ClassReference['symbol'], readonly TemplateValue[]>();
  const visit = (value: TemplateValue): void => {
    if (typeof value !== 'object' || value === null) return;
    if (!(value instanceof ClassReference)) return Object.values(value).forEach(visit);
    const { symbol } = value;
    const [declaration] = symbol.declarations ?? [];
    if (declaration?.getSourceFile().isDeclarationFile !== true || found.has(symbol)) return;
    const type = scope.checker.getDeclaredTypeOfSymbol(symbol);
    if (whyNotData(type, symbol, scope)) return;
    found.set(symbol, []);
    const properties = describeAll(type, declaration, scope);
    found.set(symbol, [value, { properties }]);
    visit(properties);
  };
  visit(template);
  return found.size > 0 ? { classes: [...found.values()] } : {};
}
