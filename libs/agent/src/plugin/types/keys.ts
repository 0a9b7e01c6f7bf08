import * as ts from 'typescript';
import { NUMBER_PATTERN } from './literals';
import { Refusal, type Template } from './template';

/** The index signature of an object: its keys, and the type of their values. */
interface FurtherKeys {
  readonly value: ts.Type;
  /** The types of the keys; empty if every text is a key. */
  readonly keys: readonly ts.Type[];
}

/**
 * The index signatures of a type as one; `undefined` without any.
 *
 * @throws Refusal if their values differ: the key would decide which one is meant
 */
export function furtherKeys(type: ts.Type, checker: ts.TypeChecker): FurtherKeys | undefined {
  const isKey = ({ keyType }: ts.IndexInfo): boolean =>
    (keyType.flags & ts.TypeFlags.ESSymbolLike) === 0;
  const infos = checker.getIndexInfosOfType(type).filter(isKey);
  const [first] = infos;
  if (first === undefined) return undefined;
  if (infos.some((info) => info.type !== first.type))
    throw new Refusal(
      'has several index signatures with different values',
      'Write one index signature, or name the properties',
    );
  const isAny = infos.some(({ keyType }) => (keyType.flags & ts.TypeFlags.String) !== 0);
  return { value: first.type, keys: isAny ? [] : infos.map(({ keyType }) => keyType) };
}

/** The schema of a number as a key, which is text. */
export const NUMBER_KEY: Template = { type: 'string', pattern: `^${NUMBER_PATTERN}$` };

/** The schema of names in one of these forms; `undefined` if every text is a name. */
export function namesOf(forms: readonly Template[]): Template | undefined {
  const [first, ...more] = forms;
  if (first === undefined) return undefined;
  if (more.length > 0) return { anyOf: forms };
  return first.enum === undefined && first.pattern === undefined ? undefined : first;
}

/** Whether a schema accepts only text, as keys are. */
export function isText({ type, $of, anyOf }: Template): boolean {
  if ($of !== undefined) return false;
  if (Array.isArray(anyOf)) return (anyOf as readonly Template[]).every(isText);
  return type === 'string';
}
