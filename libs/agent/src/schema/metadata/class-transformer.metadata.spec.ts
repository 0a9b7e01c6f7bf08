import type * as Transformer from 'class-transformer';
import type * as Metadata from './class-transformer.metadata';

describe('the rules of class-transformer', () => {
  it('are those of its ES modules in a bundle that has them beside the other ones', () => {
    let decorators: typeof Transformer | undefined;
    let storage: unknown;
    jest.isolateModules(() => {
      decorators = jest.requireActual<typeof Transformer>('class-transformer');
      storage = jest.requireActual('class-transformer/cjs/storage');
    });
    jest.doMock('class-transformer', () => decorators);
    jest.doMock('class-transformer/esm5/storage', () => storage, { virtual: true });
    jest.isolateModules(() => {
      const metadata = jest.requireActual<typeof Metadata>('./class-transformer.metadata');
      class Bundled {
        @(decorators!.Expose({ name: 'full_name' }))
        fullName!: string;
      }
      expect(metadata.transformedProperties(Bundled)).toEqual(['fullName']);
    });
    jest.dontMock('class-transformer').dontMock('class-transformer/esm5/storage');
  });
});
