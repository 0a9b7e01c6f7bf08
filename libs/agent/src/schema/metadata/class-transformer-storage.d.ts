// class-transformer keeps its metadata in a module that it does not export types for under this
// path; `@nestjs/mapped-types` reads it from the same place.
declare module 'class-transformer/cjs/storage' {
  import type {
    ExcludeMetadata,
    ExposeMetadata,
    TransformMetadata,
    TypeMetadata,
  } from 'class-transformer';

  export const defaultMetadataStorage: {
    readonly _typeMetadatas?: ReadonlyMap<unknown, ReadonlyMap<string, TypeMetadata>>;
    readonly _exposeMetadatas?: ReadonlyMap<unknown, unknown>;
    readonly _excludeMetadatas?: ReadonlyMap<unknown, unknown>;
    readonly _transformMetadatas?: ReadonlyMap<
      unknown,
      ReadonlyMap<string, readonly { readonly transformFn: object }[]>
    >;
    getStrategy(target: unknown): 'excludeAll' | 'exposeAll' | 'none';
    findTypeMetadata(target: unknown, property: string): TypeMetadata | undefined;
    findExposeMetadata(target: unknown, property: string): ExposeMetadata | undefined;
    findExcludeMetadata(target: unknown, property: string): ExcludeMetadata | undefined;
    findTransformMetadatas(target: unknown, property: string, type: number): TransformMetadata[];
    getExposedMetadatas(target: unknown): ExposeMetadata[];
    getExcludedMetadatas(target: unknown): ExcludeMetadata[];
  };
}

// Bundlers that prefer a package's ES modules load the decorators from there.
declare module 'class-transformer/esm5/storage' {
  export { defaultMetadataStorage } from 'class-transformer/cjs/storage';
}
