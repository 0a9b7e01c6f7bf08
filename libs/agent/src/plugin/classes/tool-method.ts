import * as ts from 'typescript';
import { defined, capitalised } from '../../internal';
import {
  classOf,
  commentOf,
  deprecationOf,
  describable,
  exampleOf,
  firstParagraph,
  isGeneric,
  parameterComment,
  Refusal,
  says,
  takesUndefined,
  type Template,
  type TemplateValue,
  TypeDescriber,
  type TypeScope,
} from '../types';
import type { PluginSettings } from '../plugin-options';
import { constantOf } from './constant';
import { decoratorName, decoratorsOf, sets } from './decorators';
import { type Problem, problemAt } from './problem';
import { canBeContent } from './ready-content';

/** The description of one tool's method, and its problems. */
interface DescribedMethod {
  readonly template: Template;
  readonly problems: readonly Problem[];
}

/** Describes a method with `@Tool` from its comments and types. */
export function describeTool(
  method: ts.MethodDeclaration,
  tool: ts.Decorator,
  scope: TypeScope,
  settings: PluginSettings,
): DescribedMethod {
  const description = descriptionOf(method, scope.checker);
  // With `input`, the tool has the schema of `input`.
  const isWhole = sets(tool, 'input');
  const isRoute = decoratorsOf(method.parent).some((one) => decoratorName(one) === 'Controller');
  const problems: Problem[] = [];
  const parameters = method.parameters.filter(isPassed).map((parameter): TemplateValue => {
    if (isWhole || isInjected(parameter, scope, settings)) return null;
    try {
      return describeParameter(parameter, scope);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // Decorators may describe more than the type does; other parts of a request are not
      // arguments.
      if (isRoute || decoratorsOf(parameter).length > 0) return untyped(parameter, scope);
      problems.push(problemOf(method, parameter, error));
      return null;
    }
  });
  const result = describeResult(method, scope);
  return {
    problems,
    template: {
      description,
      ...(parameters.length > 0 && { parameters }),
      ...(result && { result }),
      ...(problems.length > 0 && { problems: problems.map(placed) }),
    },
  };
}

/** `this` is only a type for the compiler, not a parameter at run time. */
function isPassed({ name }: ts.ParameterDeclaration): boolean {
  return !ts.isIdentifier(name) || name.text !== 'this';
}

function placed({ file, start, message }: Problem): string {
  const { line } = file.getLineAndCharacterOfPosition(start);
  return `${file.fileName.split('/').at(-1) ?? ''}:${line + 1}: ${message}`;
}

/** The comment's first paragraph; without a comment, a text made from the names. */
function descriptionOf(method: ts.MethodDeclaration, checker: ts.TypeChecker): string {
  const description =
    commentOf(checker.getSymbolAtLocation(method.name), checker) ?? namesOf(method);
  const deprecated = deprecationOf(method);
  if (deprecated === undefined) return description;
  return `${description} ${deprecated === true ? 'Deprecated.' : `Deprecated: ${deprecated}`}`;
}

/** `findAll` of `CatsService`: "Find all (cats)". */
function namesOf(method: ts.MethodDeclaration): string {
  const words = wordsOf(method.name.getText());
  const owner = ts.isClassLike(method.parent) ? method.parent.name?.text : undefined;
  const subject = wordsOf((owner ?? '').replace(/(?:Service|Tools|Toolkit|Controller)$/, ''));
  const sentence = capitalised(words);
  return subject === '' ? sentence : `${sentence} (${subject})`;
}

function wordsOf(name: string): string {
  return name
    .replace(/[\W_]+/g, ' ')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .trim()
    .toLowerCase();
}

function describeParameter(parameter: ts.ParameterDeclaration, scope: TypeScope): TemplateValue {
  const { checker } = scope;
  if (parameter.dotDotDotToken) throw says.rest();
  // The declared type: an initialiser may narrow the symbol's.
  const declared = parameter.type
    ? checker.getTypeFromTypeNode(parameter.type)
    : checker.getTypeAtLocation(parameter);
  const type = new TypeDescriber(scope, 'input').describe(
    parameter.type ? declared : checker.getBaseTypeOfLiteralType(declared),
    parameter.type,
  );
  // A decorator names the parameter's source, also in a controller's base class, which is no controller.
  const isPlaced = decoratorsOf(parameter).length > 0;
  if (!isPlaced && !ts.isIdentifier(parameter.name)) throw says.nameless();
  const facts = untyped(parameter, scope);
  const isOptional = facts.optional === true || takesUndefined(declared);
  const example = exampleOf(parameter, type);
  const known = isHiddenClass(declared, scope) ? undefined : type;
  return defined({ ...facts, example, optional: isOptional || undefined, type: known });
}

/** Whether the code here cannot name the class: then the type that the compiler emits is used. */
function isHiddenClass(declared: ts.Type, { checker, canName }: TypeScope): boolean {
  const type = checker.getNonNullableType(declared);
  const symbol = type.getSymbol();
  const declaration = classOf(type);
  return declaration && symbol ? !isGeneric(declaration) && !canName(symbol) : false;
}

/** A parameter without a description of its type. */
function untyped(parameter: ts.ParameterDeclaration, { checker }: TypeScope): Template {
  const { initializer, name } = parameter;
  const description = parameterComment(parameter);
  const byDefault = initializer && constantOf(initializer, checker);
  const optional = (parameter.questionToken ?? initializer) !== undefined || undefined;
  const text = ts.isIdentifier(name) ? name.text : '';
  return defined({ name: text, description, optional, default: byDefault });
}

/** The library's own types, `AbortSignal`, providers, and the classes of context. */
function isInjected(
  parameter: ts.ParameterDeclaration,
  { checker }: TypeScope,
  { context }: PluginSettings,
): boolean {
  const type = checker.getNonNullableType(checker.getTypeAtLocation(parameter));
  const name = type.getSymbol()?.name ?? '';
  if (name === 'AbortSignal' || context.includes(name)) return true;
  const declaration = classOf(type);
  if (declaration === undefined) return false;
  const isOurs = OWN_FILE.test(declaration.getSourceFile().fileName);
  return (isOurs && OWN.has(name)) || decoratorsOf(declaration).some(isProvider);
}

const OWN: ReadonlySet<string> = new Set(['ToolContext', 'ToolEmitter', 'AgentRun']);
const OWN_FILE = /[\\/]tool[\\/][\w.-]+\.ts$/;

function isProvider(decorator: ts.Decorator): boolean {
  return decoratorName(decorator) === 'Injectable';
}

function describeResult(method: ts.MethodDeclaration, scope: TypeScope): Template | undefined {
  const { checker } = scope;
  const signature = checker.getSignatureFromDeclaration(method);
  if (!signature) return undefined;
  const returned = signature.getReturnType();
  const type = checker.getAwaitedType(observed(returned, checker)) ?? returned;
  const none = ts.TypeFlags.VoidLike | ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.Never;
  if ((type.flags & none) !== 0 || canBeContent(type, checker)) return undefined;
  const template = describable(type, scope, 'output', method.type);
  const description = firstParagraph(
    ts.getTextOfJSDocComment(ts.getJSDocReturnTag(method)?.comment),
  );
  if (template === undefined || Object.keys(template).length === 0) return undefined;
  return { ...template, ...(description !== undefined && { description }) };
}

/** The type of an Observable's values. */
function observed(type: ts.Type, checker: ts.TypeChecker): ts.Type {
  if (type.getSymbol()?.name !== 'Observable') return type;
  const [value] = checker.getTypeArguments(type as ts.TypeReference);
  return value ?? type;
}

function problemOf(
  method: ts.MethodDeclaration,
  parameter: ts.ParameterDeclaration,
  { path, reason, advice }: Refusal,
): Problem {
  const owner = ts.isClassLike(method.parent) ? method.parent.name?.text : undefined;
  const source = `${owner ?? 'class'}.${method.name.getText()}`;
  const inside = path.map((step) => (step.startsWith('[') ? step : `.${step}`)).join('');
  const place = `parameter "${onOneLine(parameter.name)}${inside}"`;
  return problemAt(parameter, source, `${place} ${reason}. ${advice}.`);
}

const printer = ts.createPrinter({ removeComments: true });

/** A parameter's name, which may be a destructuring pattern, without the comments inside. */
function onOneLine(name: ts.BindingName): string {
  const text = printer.printNode(ts.EmitHint.Unspecified, name, name.getSourceFile());
  return text.replace(/\s+/g, ' ');
}
