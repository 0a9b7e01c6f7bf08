import type { Type } from '@nestjs/common';
import type { PluginMetadata } from 'nestjs-agent/types';
import ts from 'typescript';
import { Project } from './plugin/project';
import { ToolApplication } from './support/tool-application';

/** Types of packages: the plugin sees their declarations, and did not compile their code. */
const FILES = {
  'src/node_modules/parcels/index.d.ts': `/** Where it goes. */
export interface Address { /** With its number. */ street: string; zip?: string }
export declare enum Speed { Slow = "slow", Fast = "fast" }
export declare const enum Size { Small = 1, Large = 2 }
declare class Money$1 { /** In cents. */ amount: number; currency?: 'EUR' | 'USD' }
export declare class Weight { grams: number; isHeavy(): boolean }
export declare class Parcel { weight: Weight; to: Address; sent: Date }
export { Money$1 as Money };
export default class Label { text: string }
export type Pair<A, B> = { first: A; second: B };
`,
  'src/vendor/stamp.d.ts': 'export declare class Stamp { year: number }',
  'src/types/scales.d.ts': 'export declare class Scale { grams: number }',
  'src/node_modules/types-alone/index.d.ts': 'export declare class Rate { percent: number }',
  'src/shared/kinds.ts': `export enum Kind { A = 'a', B = 'b' }
export const enum Flag { On = 'on', Off = 'off' }
export interface Filter { kind: Kind; /** How deep. @deprecated */ depth?: number /** not of this */
  plain?: string }`,
  'src/shared/item.dto.ts': `class ItemDto { kind!: import('./kinds').Kind }
export default ItemDto;`,
  'src/shared/index.ts': `export { default as Item } from './item.dto';
export { Weight as Mass } from 'parcels';
export { Stamp } from '../vendor/stamp';
export type { Filter, Flag, Kind } from './kinds';`,
  'src/package.tools.ts': `import { Tool } from 'nestjs-agent';
import * as parcels from 'parcels';
import Tag from 'parcels';
import { Money, type Address, type Pair, type Size, type Speed } from 'parcels';
export class Heavy extends parcels.Weight { /** By whom it is carried. */ carriers = 2; }
const nameOf = (value: object): string => value.constructor.name;
export class PackageTools {
  @Tool() pay(money: Money): string { return nameOf(money); }
  @Tool() payAll(moneys: Money[]): string { return moneys.map(nameOf).join(); }
  @Tool({ description: 'Sends' }) ship(parcel: parcels.Parcel): string {
    return [parcel, parcel.weight, parcel.to, parcel.sent].map(nameOf).join();
  }
  @Tool() tag(tags: Tag[]): string { return tags.map(nameOf).join(); }
  @Tool() pair(pair: Pair<parcels.Weight, Address>): string { return nameOf(pair.first); }
  @Tool() carry(heavy: Heavy, speed: Speed, size: Size): string { return nameOf(heavy) + speed + size; }
}
`,
  'src/shared.tools.ts': `import { Tool } from 'nestjs-agent';
import { Item, Mass, Stamp } from '@shared';
import type { Filter, Flag, Kind } from '@shared';
import type { Weight } from './local';
import type { Rate } from 'types-alone';
import { Scale } from 'scales';
export class SharedTools {
  @Tool() rate(rates: Rate[]): string { return rates[0]?.constructor.name ?? ''; }
  @Tool() scale(scales: Scale[]): string { return scales[0]?.constructor.name ?? ''; }
  @Tool() items(items: Item[]): string { return items[0]?.constructor.name ?? ''; }
  @Tool() mass(masses: Mass[]): string { return masses[0]?.constructor.name ?? ''; }
  @Tool() stamp(stamp: Stamp | null): string { return stamp?.constructor.name ?? ''; }
  @Tool() filter(filter: Filter, flag: Flag, kind: Kind): string { return filter.kind + flag + kind; }
  @Tool() own(weights: Weight[]): string { return weights[0]?.constructor.name ?? ''; }
}
`,
  'src/local.ts': 'export class Weight { tons!: number }',
};

/** The code of the package, without a trace of its types. */
const CODE = `class Money {}
class Weight { isHeavy() { return this.grams > 1000; } }
class Parcel {}
class Label {}
module.exports = { Money, Weight, Parcel, default: Label, __esModule: true };
`;

const string = { type: 'string' };
const number = { type: 'number' };
const closed = (title: string, properties: object, required = Object.keys(properties)) => ({
  type: 'object',
  title,
  properties,
  required,
  additionalProperties: false,
});
const WEIGHT = closed('Weight', { grams: number });
const MONEY = closed(
  'Money',
  {
    amount: { ...number, description: 'In cents.' },
    currency: { ...string, enum: ['EUR', 'USD'] },
  },
  ['amount'],
);

describe.each(['tsc', 'swc'])('types of packages and aliases, by %s', (compiler) => {
  let project: Project;
  let application: ToolApplication;
  const inputOf = (tool: string) => application.tool(tool).definition.input_schema.properties;

  beforeAll(async () => {
    project = new Project(FILES, {
      paths: { '@shared': ['./src/shared/index'], scales: ['./src/types/scales'] },
    });
    project.write({
      [`${compiler}/node_modules/parcels/index.js`]: CODE,
      [`${compiler}/node_modules/scales/index.js`]: 'exports.Scale = class Scale {};',
      [`${compiler}/vendor/stamp.js`]: 'exports.Stamp = class Stamp {};',
    });
    if (compiler === 'tsc') expect(project.withTsc()).toEqual([]);
    else project.withSwc();
    const code = ts.sys.readFile(`${project.folder}/${compiler}/shared.tools.js`) ?? '';
    // As the compilers of Nest do with the imports that are written.
    project.write({
      [`${compiler}/shared.tools.js`]: code.replace('require("@shared")', 'require("./shared")'),
    });
    const load = (file: string) =>
      Object.values(project.load<Record<string, Type>>(`${compiler}/${file}.tools.js`)).at(-1)!;
    application = await ToolApplication.boot(
      { providers: [load('package'), load('shared')] },
      compiler === 'swc'
        ? { metadata: project.load<{ default: PluginMetadata }>('swc/metadata.js').default }
        : {},
    );
  });
  afterAll(async () => {
    await application.close();
    project.remove();
  });

  it('say what the declarations of their classes say', () => {
    expect(inputOf('pay')).toEqual({ money: MONEY });
    expect(inputOf('payAll')).toEqual({ moneys: { type: 'array', items: MONEY } });
    expect(inputOf('tag')?.tags?.items).toEqual(closed('Label', { text: string }));
    expect(inputOf('ship')?.parcel).toMatchObject(
      closed('Parcel', { weight: WEIGHT, to: { required: ['street'] }, sent: {} }),
    );
    expect(inputOf('pair')?.pair?.properties?.first).toEqual(WEIGHT);
    expect(inputOf('carry')).toMatchObject({
      heavy: closed('Heavy', { grams: number, carriers: { default: 2 } }, ['grams']),
      speed: { enum: ['slow', 'fast'] },
      size: { enum: [1, 2] },
    });
  });

  it('say the same through aliases and re-exports, each class its own', () => {
    expect(inputOf('items')?.items?.items).toMatchObject({
      properties: { kind: { enum: ['a', 'b'] } },
    });
    expect(inputOf('mass')?.masses?.items).toEqual(WEIGHT);
    expect(inputOf('stamp')?.stamp).toMatchObject({
      anyOf: [closed('Stamp', { year: number }), { type: 'null' }],
    });
    expect(inputOf('own')?.weights?.items).toEqual(closed('Weight', { tons: number }));
    expect(inputOf('filter')).toMatchObject({
      filter: {
        properties: {
          kind: { enum: ['a', 'b'] },
          depth: { type: 'number', description: 'How deep.' },
          plain: { type: 'string' },
        },
      },
      flag: { enum: ['on', 'off'] },
      kind: { enum: ['a', 'b'] },
    });
    expect(JSON.stringify(inputOf('filter'))).not.toContain('not of this');
  });

  it('hand over instances', async () => {
    const parcel = { weight: { grams: 1 }, to: { street: 'a' }, sent: '2024-05-01T10:30:00.000Z' };
    expect(await application.call('ship', { parcel })).toBe('Parcel,Weight,Object,Date');
    expect(await application.call('payAll', { moneys: [{ amount: 1 }] })).toBe('Money');
    expect(await application.call('mass', { masses: [{ grams: 1 }] })).toBe('Weight');
    expect(await application.call('stamp', { stamp: { year: 1840 } })).toBe('Stamp');
    expect(await application.call('scale', { scales: [{ grams: 1 }] })).toBe('Scale');
    await expect(application.call('pay', { money: {} })).rejects.toThrow('/money');
  });

  it('hand over plain values of what is imported as a type alone', async () => {
    expect(inputOf('rate')?.rates?.items).toMatchObject({ properties: { percent: number } });
    expect(await application.call('rate', { rates: [{ percent: 1 }] })).toBe('Object');
  });
});

describe.each(['tsc', 'swc'])('a class of a package in two files, by %s', (compiler) => {
  const CRATES = {
    'src/node_modules/crates/index.d.ts': `import { Weight } from 'parcels';
export declare class Crate { weights: Weight[] }`,
    'src/node_modules/parcels/index.d.ts': 'export declare class Weight { grams: number }',
    'src/near.tools.ts': `import { Tool } from 'nestjs-agent';
import { Crate } from 'crates';
import { Weight } from 'parcels';
export class NearTools {
  @Tool() near(crate: Crate): string { return String(crate.weights.every((one) => one instanceof Weight)); }
}`,
    'src/far.tools.ts': `import { Tool } from 'nestjs-agent';
import { Crate } from 'crates';
export class FarTools {
  @Tool() far(crate: Crate): string { return crate.weights.map((one) => one.constructor.name).join(); }
}`,
  };

  it.each([
    ['near', 'far'],
    ['far', 'near'],
  ])(
    'has instances of the classes that one of them imports, %s read before %s',
    async (...files) => {
      // Of its own for each order: classes keep what was read of them.
      const project = new Project(CRATES);
      project.write({
        [`${compiler}/node_modules/crates/index.js`]: 'exports.Crate = class Crate {};',
        [`${compiler}/node_modules/parcels/index.js`]: 'exports.Weight = class Weight {};',
      });
      if (compiler === 'tsc') expect(project.withTsc()).toEqual([]);
      else project.withSwc();
      const load = (file: string) =>
        Object.values(project.load<Record<string, Type>>(`${compiler}/${file}.tools.js`)).at(-1)!;
      const application = await ToolApplication.boot(
        { providers: files.map(load) },
        compiler === 'swc'
          ? { metadata: project.load<{ default: PluginMetadata }>('swc/metadata.js').default }
          : {},
      );
      const crate = { weights: [{ grams: 1 }] };
      expect(await application.call('near', { crate })).toBe('true');
      expect(await application.call('far', { crate })).toBe('Weight');
      await application.close();
      project.remove();
    },
  );
});

it('takes the default of a CommonJS package for no class in an ES module', () => {
  const project = new Project(
    {
      'src/boxes.tools.ts': `import { Tool } from 'nestjs-agent';
import boxes, { Lid } from 'boxes';
export class BoxTools {
  @Tool() open(box: InstanceType<typeof boxes.default>[]): void { void box; }
  @Tool() close(lids: Lid[]): void { void lids; }
}`,
    },
    { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
  );
  project.write({
    'src/package.json': '{ "type": "module" }',
    'src/node_modules/boxes/package.json': '{ "types": "index.d.ts", "main": "index.js" }',
    'src/node_modules/boxes/index.d.ts':
      'export default class Box { width: number } export declare class Lid { hinges: number }',
  });
  expect(project.withTsc()).toEqual([]);
  const code = ts.sys.readFile(`${project.folder}/tsc/boxes.tools.js`) ?? '';
  expect(code).toContain('.Lid');
  expect(code).not.toMatch(/agentTypes_\d+\.default/);
  expect(code).toContain('width');
  project.remove();
});
