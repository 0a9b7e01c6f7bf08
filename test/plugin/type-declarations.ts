/** The types that the cases refer to, as a file of an application. */
export const DECLARATIONS = `
export enum Color { Red = 'red', Green = 'green' }
export enum Level { Low, High = 5 }
export const enum Flag { On = 'on', Off = 'off' }
const PREFIX = 'size';
export enum Templated { Small = \`\${PREFIX}-s\`, Large = \`\${PREFIX}-l\` }
export enum Access { None = 0, Read = 1 << 0, Write = 1 << 1, All = Read | Write }
export enum Turn { Left = 'left', Right = 'right' }
export namespace Turn { export const count = 2; export const parse = (text: string) => text as Turn; }
export const SIZES = ['s', 'm', 'l'] as const;
export const PRICES = { basic: 1, plus: 2 } as const;
export type Size = (typeof SIZES)[number];
export type Plan = keyof typeof PRICES;
export type Window = 'day' | 'week' | 'month';
export type Id = string & { readonly brand: 'Id' };
export type Cents = number & { readonly brand: 'Cents' };
/** Where something is. */
export interface Point { readonly x: number; readonly y: number }
export interface Named {
  /** The name on the door. */
  name: string;
  nick?: string;
}
export interface Contact extends Named { email: string | null; born?: Date }
export interface Page<Item> { items: Item[]; next?: string }
export interface Range<Bound = number> { from: Bound; to?: Bound }
export interface Tree { value: string; children?: Tree[] }
export interface Person { name: string; friend: Person | null; team?: Team }
export interface Team { name: string; members: Person[] }
export interface Scores { [subject: string]: number }
export interface Labelled { label: string; [key: string]: string }
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type Circle = { kind: 'circle'; radius: number };
export type Square = { kind: 'square'; side: number };
export type Shape = Circle | Square;
export type Event =
  | { type: 'created'; at: Date }
  | { type: 'renamed'; name: string }
  | { type: 'moved'; by: bigint };
export type Getters<T> = { [Key in keyof T as \`get_\${string & Key}\`]: T[Key] };
export type Nullable<T> = { [Key in keyof T]: T[Key] | null };
export type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };
export type Flags<Key extends string> = { [K in Key]?: boolean };
export type ElementOf<T> = T extends readonly (infer Item)[] ? Item : never;
export type DeepPartial<T> = T extends object ? { [K in keyof T]?: DeepPartial<T[K]> } : T;
export type Paged<T> = Page<T> & { total: number };
export class Money {
  /** In cents. */
  amount!: number;
  currency: 'EUR' | 'USD' = 'EUR';
}
export class Priced extends Money { label?: string | null }
export class Basket {
  lines!: Money[];
  /** When it was opened. */
  opened!: Date;
  extras?: Map<string, Date>;
  owner?: Named;
  total(): number { return 0; }
}
export class Box<T> { content!: T }
`;
