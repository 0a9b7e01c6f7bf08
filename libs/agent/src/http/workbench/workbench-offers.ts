import { Injectable, Logger } from '@nestjs/common';
import { thrownText } from '../../internal';
import type { Caller } from '../caller';

/** Something that is offered to clients besides tools. */
export interface OfferedEntry {
  readonly kind: 'resource' | 'template' | 'prompt';
  readonly name: string;
  /** A resource's address or template. */
  readonly uri?: string;
  readonly title?: string;
  readonly description?: string;
  /** The names of a prompt's arguments. */
  readonly arguments?: readonly string[];
}

/** A module that offers something besides tools, such as an MCP server. */
export interface OfferSource {
  /** The place, such as `/mcp`. */
  readonly name: string;
  /** The entries offered to this caller; none if the source's guards refuse the caller. */
  list(caller: Caller): Promise<readonly OfferedEntry[]>;
}

/** The offers of further modules, for the workbench to list. */
@Injectable()
export class WorkbenchOffers {
  private readonly logger = new Logger('Workbench');
  private readonly sources: OfferSource[] = [];

  /** To be called at boot. */
  add(source: OfferSource): void {
    this.sources.push(source);
  }

  async list(caller: Caller): Promise<readonly (OfferedEntry & { readonly source: string })[]> {
    const lists = await Promise.all(
      this.sources.map(async (source) => {
        try {
          return (await source.list(caller)).map((entry) => ({ ...entry, source: source.name }));
        } catch (error) {
          this.logger.error(`The offers of ${source.name} failed.`, thrownText(error));
          return [];
        }
      }),
    );
    return lists.flat();
  }
}
