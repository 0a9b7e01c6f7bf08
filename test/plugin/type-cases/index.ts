// Types of parameters that the plugin describes, each with values that it takes and refuses.
import { CLASS_CASES } from './class.cases';
import { COLLECTION_CASES } from './collection.cases';
import { OBJECT_CASES } from './object.cases';
import { UNION_CASES } from './union.cases';
import { VALUE_CASES } from './value.cases';
import type { TypeCase } from './type-case';

export const CASES: readonly TypeCase[] = [
  ...VALUE_CASES,
  ...COLLECTION_CASES,
  ...OBJECT_CASES,
  ...UNION_CASES,
  ...CLASS_CASES,
];
