import * as ts from 'typescript';
import { commentOf, deprecationOf, exampleOf } from './comments';
import { classOf, isAbstract, isBuiltin, isGeneric } from './declared';
import { furtherKeys, isText, namesOf, NUMBER_KEY } from './keys';
import { isComposed, isWhole, whyNotData } from './kinds';
import { BOXED, CONVERTED, refusedBuiltin, says } from './known-types';
import { hasBoth, literalOf, splitLiterals } from './literals';
import { inDeclaredOrder, inStableOrder } from './order';
import { Recursion } from './recursion';
import {
  isLiteral,
  isMethodOfClass,
  isOptional,
  isUnseen,
  namedSymbol,
  writtenType,
} from './symbols';
import { tupleOf } from './tuple';
import { isOpen, OPEN, opened } from './type-parameters';
import {
  alternativesOf,
  ClassReference,
  Refusal,
  type Template,
  type TemplateValue,
} from './template';

/** The parts of the compilation that types of a file need. */
export interface TypeScope {
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  /** Whether code in this place can name a class. */
  readonly canName: (symbol: ts.Symbol) => boolean;
  /** Called with every file that a type comes from. */
  readonly depend: (file: ts.SourceFile) => void;
  /** Types with the same description everywhere in the file. */
  readonly described: Readonly<Record<Direction, Map<ts.Type, Template>>>;
}

export type Direction = 'input' | 'output';

/**
 * Describes one type. Input types that cannot be described are refused; in output they are left
 * out, since results are described but not checked.
 */
export class TypeDescriber {
  private readonly recursion = new Recursion();
  /** The type annotation of the declaration that is being described. */
  private written: ts.Node | undefined;
  /** The type annotation of the whole. */
  private root: ts.Node | undefined;
  private isOfItsPlace = false;

  constructor(
    private readonly scope: TypeScope,
    private readonly direction: Direction,
  ) {}

  /**
   * @param written the type annotation, if there is one
   * @throws Refusal naming the position
   */
  describe(type: ts.Type, written?: ts.TypeNode): Template {
    const described = this.scope.described[this.direction];
    const present = described.get(type);
    if (present) return present;
    this.written = this.root = written;
    const root = this.typeOf(type);
    const { definitions } = this.recursion;
    const hasDefinitions = Object.keys(definitions).length > 0;
    const template = hasDefinitions ? { ...root, $defs: definitions } : root;
    if (!this.isOfItsPlace) described.set(type, template);
    return template;
  }

  private typeOf(type: ts.Type): Template {
    if (!isComposed(type)) return this.simple(type);
    return this.recursion.within(type, () => {
      this.follow(type);
      return this.composed(type);
    });
  }

  /** A type without parts. */
  private simple(type: ts.Type): Template {
    const { flags } = type;
    const is = (flag: ts.TypeFlags): boolean => (flags & flag) !== 0;
    const literal = literalOf(type);
    if (literal) return literal;
    if (is(ts.TypeFlags.Enum) && this.direction === 'input') throw says.computed(type.getSymbol());
    if (is(ts.TypeFlags.StringLike)) return { type: 'string' };
    if (is(ts.TypeFlags.NumberLike)) return { type: 'number' };
    if (is(ts.TypeFlags.BooleanLike)) return { type: 'boolean' };
    if (is(ts.TypeFlags.BigIntLiteral)) return this.refused(says.bigints());
    if (is(ts.TypeFlags.BigIntLike)) return { $of: 'bigint' };
    if (is(ts.TypeFlags.Null)) return { type: 'null' };
    if (is(ts.TypeFlags.Any)) return this.refused(says.any());
    if (is(ts.TypeFlags.Unknown))
      return this.recursion.isInside ? {} : this.refused(says.unknown());
    if (is(ts.TypeFlags.NonPrimitive)) return this.refused(says.object('object'));
    if (is(ts.TypeFlags.ESSymbolLike)) return this.refused(says.symbol());
    if (is(ts.TypeFlags.Never)) return this.refused(says.never());
    const { checker } = this.scope;
    if (is(ts.TypeFlags.Index)) return this.refused(says.names(checker.typeToString(type)));
    const bound = checker.getBaseConstraintOfType(type);
    if (bound && bound !== type && !is(ts.TypeFlags.VoidLike)) {
      const template = this.typeOf(bound);
      if (!isOpen(type)) return template;
      // An instance of the constraint's class would lose further properties.
      return opened(template.$of instanceof ClassReference ? this.object(bound) : template);
    }
    if (is(ts.TypeFlags.TypeParameter))
      return this.refused(says.generic(checker.typeToString(type)));
    return this.refused(says.nothing());
  }

  private composed(type: ts.Type): Template {
    if (type.isUnion()) return this.union(type, type.types);
    if (type.isIntersection()) {
      // A brand: `string & { readonly brand: 'OrderId' }`.
      const branded = type.types.find((one) => isWhole(one, this.scope));
      return branded ? this.typeOf(branded) : this.object(type);
    }
    const { checker, program } = this.scope;
    if (checker.isTupleType(type)) {
      const tuple = type as ts.TupleTypeReference;
      const elements = checker.getTypeArguments(tuple);
      return tupleOf(
        tuple.target,
        elements.map((element, index) => this.inside(`[${index}]`, element)),
      );
    }
    const symbol = type.getSymbol();
    if (checker.isArrayType(type)) {
      const [item] = checker.getTypeArguments(type as ts.TypeReference);
      return { type: 'array', items: item ? this.inside('[]', item) : {} };
    }
    if (type.getCallSignatures().length > 0 || type.getConstructSignatures().length > 0)
      return this.refused(says.function());
    if (symbol !== undefined && isBuiltin(symbol, program) && !isLiteral(symbol))
      return this.builtin(symbol.name, type);
    const declaration = classOf(type);
    return symbol !== undefined && declaration !== undefined
      ? this.instance(type, symbol, declaration)
      : this.object(type);
  }

  private union(type: ts.Type, types: readonly ts.Type[]): Template {
    const { checker } = this.scope;
    const given = types.filter(({ flags }) => (flags & ts.TypeFlags.VoidLike) === 0);
    const members = given.filter(({ flags }) => (flags & ts.TypeFlags.Null) === 0);
    const { literals, others } = splitLiterals(members);
    const parts = inStableOrder(others, checker).map((member) => this.typeOf(member));
    if (hasBoth(members)) parts.unshift({ type: 'boolean' });
    if (literals) {
      // Its values keep the order in which they are written here.
      if (this.written === this.root) this.isOfItsPlace = true;
      const declared = [type.aliasSymbol, type.getSymbol()].flatMap(
        (symbol) => symbol?.declarations ?? [],
      );
      const enums = types.flatMap((one) => one.getSymbol()?.declarations ?? []);
      const nodes = [...declared, this.written, ...enums.map(({ parent }) => parent)];
      parts.unshift({ ...literals, enum: inDeclaredOrder(literals.enum, nodes, checker) });
    }
    // An empty one accepts any value of the others.
    if (parts.some((part) => Object.keys(part).length === 0)) return {};
    const isNullable = members.length < given.length;
    return (
      alternativesOf(parts, isNullable) ??
      (isNullable ? { type: 'null' } : this.refused(says.nothing()))
    );
  }

  private builtin(name: string, type: ts.Type): Template {
    const boxed = BOXED[name];
    if (boxed !== undefined) return { type: boxed };
    if (name === 'Object') return this.refused(says.object(name));
    const $of = CONVERTED[name];
    if ($of === undefined) return this.refused(refusedBuiltin(name));
    if ($of === 'date') return { $of };
    const [first, second] = this.scope.checker.getTypeArguments(type as ts.TypeReference);
    const inner = $of === 'map' ? second : first;
    const inside = inner ? this.inside('[]', inner) : {};
    if ($of === 'set') return { $of, type: 'array', items: inside };
    const keys = first && this.inside('[]', first);
    if (keys === undefined || !isText(keys)) return this.refused(says.keys());
    const names = namesOf([keys]);
    return {
      $of,
      type: 'object',
      additionalProperties: inside,
      ...(names && { propertyNames: names }),
    };
  }

  private instance(
    type: ts.Type,
    symbol: ts.Symbol,
    declaration: ts.ClassLikeDeclaration,
  ): Template {
    const { canName } = this.scope;
    const refusal = this.direction === 'input' ? whyNotData(type, symbol, this.scope) : undefined;
    if (refusal) throw refusal;
    const isSerialized = this.direction === 'output' && type.getProperty('toJSON') !== undefined;
    const isMade = !isGeneric(declaration) && !isAbstract(declaration) && !isSerialized;
    if (isMade && canName(symbol)) return { $of: new ClassReference(symbol) };
    return this.object(type);
  }

  private object(type: ts.Type): Template {
    const { checker } = this.scope;
    const json = this.direction === 'output' ? type.getProperty('toJSON') : undefined;
    const [asJson] = json ? checker.getTypeOfSymbol(json).getCallSignatures() : [];
    if (asJson) return this.typeOf(asJson.getReturnType());
    const properties: Record<string, TemplateValue> = {};
    const required: string[] = [];
    for (const property of checker.getPropertiesOfType(type)) {
      if (isUnseen(property)) continue;
      const template = this.property(property);
      if (template === undefined) continue;
      if (property.name === '__proto__') throw says.proto();
      properties[property.name] = template;
      if (!isOptional(property, checker)) required.push(property.name);
    }
    const rest = this.index(type, Object.keys(properties));
    if (Object.keys(properties).length === 0 && rest === undefined)
      return this.refused(says.object(checker.typeToString(type)));
    const named = namedSymbol(type);
    const isOwn = named !== undefined && !isBuiltin(named, this.scope.program);
    const description = isOwn ? commentOf(named, checker) : undefined;
    return {
      type: 'object',
      ...(description !== undefined && { description }),
      ...(Object.keys(properties).length > 0 && { properties }),
      ...(required.length > 0 && { required }),
      ...(rest ?? (isOpen(type) && OPEN)),
    };
  }

  private property(property: ts.Symbol): Template | undefined {
    const { checker } = this.scope;
    const [declaration] = property.declarations ?? [];
    if (declaration) this.scope.depend(declaration.getSourceFile());
    const type = checker.getTypeOfSymbol(property);
    // `b?: never` and `b?: undefined` mean that there is no such property.
    const none = ts.TypeFlags.Undefined | ts.TypeFlags.Never;
    if ((type.flags & none) !== 0 && isOptional(property, checker)) return undefined;
    const isFunction = type.getCallSignatures().length > 0;
    if (isFunction && (this.direction === 'output' || isMethodOfClass(property))) return undefined;
    const { written } = this;
    if (declaration) this.written = writtenType(declaration);
    const template = this.inside(property.name, type);
    this.written = written;
    const description = commentOf(property, checker);
    const isDeprecated = declaration !== undefined && deprecationOf(declaration) !== undefined;
    const example = declaration && exampleOf(declaration, template);
    return {
      ...template,
      ...(example !== undefined && { examples: [example] }),
      ...(description !== undefined && { description }),
      ...(isDeprecated && { deprecated: true }),
    };
  }

  /** The schemas of an object's further keys and their values. */
  private index(type: ts.Type, named: readonly string[]): Template | undefined {
    const further = furtherKeys(type, this.scope.checker);
    if (!further) return undefined;
    const forms = further.keys.map((key): Template => {
      const form = this.inside('[]', key);
      return form.type === 'number' ? NUMBER_KEY : form;
    });
    const isNamed = forms.length > 0 && named.length > 0;
    const names = namesOf(isNamed ? [{ type: 'string', enum: named }, ...forms] : forms);
    return {
      additionalProperties: this.inside('[]', further.value),
      ...(names && { propertyNames: names }),
    };
  }

  /** A part of a type, named in the refusal of it. */
  private inside(step: string, type: ts.Type): Template {
    try {
      return this.typeOf(type);
    } catch (error) {
      if (error instanceof Refusal) error.path.unshift(step);
      throw error;
    }
  }

  private refused(refusal: Refusal): Template {
    if (this.direction === 'output') return {};
    throw refusal;
  }

  private follow(type: ts.Type): void {
    for (const symbol of [type.aliasSymbol, type.getSymbol()])
      for (const declaration of symbol?.declarations ?? [])
        this.scope.depend(declaration.getSourceFile());
  }
}
