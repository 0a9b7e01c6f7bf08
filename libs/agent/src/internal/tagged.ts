/** The union that a table of fields by type describes: each entry with its key as `type`. */
export type Tagged<Fields> = {
  readonly [Type in keyof Fields]: { readonly type: Type } & Readonly<Fields[Type]>;
}[keyof Fields];
