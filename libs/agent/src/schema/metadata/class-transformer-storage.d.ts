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
    readonly _typeMetadatas?: ReadonlyMap<Function, ReadonlyMap<string, TypeMetadata>>;
    getStrategy(target: Function): 'excludeAll' | 'exposeAll' | 'none';
    findTypeMetadata(target: Function, property: string): TypeMetadata | undefined;
    findExposeMetadata(target: Function, property: string): ExposeMetadata | undefined;
    findExcludeMetadata(target: Function, property: string): ExcludeMetadata | undefined;
    findTransformMetadatas(target: Function, property: string, type: number): TransformMetadata[];
    getExposedMetadatas(target: Function): ExposeMetadata[];
    getExcludedMetadatas(target: Function): ExcludeMetadata[];
  };
}
