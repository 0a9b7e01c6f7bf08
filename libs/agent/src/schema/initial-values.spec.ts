import 'reflect-metadata';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Expose, Type } from 'class-transformer';
import {
  ArrayNotEmpty,
  IsDate,
  IsEmail,
  IsInt,
  IsOptional,
  IsString,
  MaxLength,
  Min,
  ValidateIf,
} from 'class-validator';
import { applicationAccepts } from './fixtures/application';
import { outputSchemaOf, schemaOf, SchemaValidator } from './index';

class Refused {
  @ArrayNotEmpty()
  @IsString({ each: true })
  ids: string[] = [];
}

class RefusedOptional {
  @IsOptional()
  @ArrayNotEmpty()
  @IsString({ each: true })
  ids?: string[] = [];
}

class RefusedMember {
  @IsEmail({}, { each: true })
  to: string[] = [''];
}

class RefusedNull {
  @IsString()
  name: string | null = null;
}

class Accepted {
  @Min(1)
  @IsInt()
  page = 1;

  @IsOptional()
  @MaxLength(5)
  name: string | null = null;
}

class PassedNull {
  @ValidateIf((_, value) => value !== null)
  @IsString()
  note: string | null = null;
}

class PassedText {
  @ValidateIf((_, value) => value !== '')
  @IsEmail()
  email = '';
}

describe('an initial value', () => {
  it.each([
    ['refused by its rule', Refused, [{}, { ids: [] }, { ids: ['a'] }]],
    [
      'refused beside @IsOptional()',
      RefusedOptional,
      [{}, { ids: null }, { ids: [] }, { ids: ['a'] }],
    ],
    ['with a member that its rule refuses', RefusedMember, [{}, { to: [] }, { to: ['a@b.ch'] }]],
    ['of null that its rule refuses', RefusedNull, [{}, { name: 'a' }]],
    ['of null that a condition passes', PassedNull, [{}, { note: null }, { note: 1 }]],
    ['that a condition passes', PassedText, [{}, { email: 'a@b.ch' }, { email: 'a' }]],
    ['that its rules accept', Accepted, [{}, { page: 2 }, { page: 0 }]],
  ])('%s: the schema accepts what the application accepts', async (_, type, values) => {
    const validator = new SchemaValidator(schemaOf(type));
    for (const value of values) {
      const isAccepted = await applicationAccepts({ type }, value);
      expect([value, validator.check(value).length === 0]).toEqual([value, isAccepted]);
    }
  });

  it('is no default where its rule refuses it', () => {
    expect(schemaOf(Refused)).toMatchObject({ required: ['ids'] });
    expect(schemaOf(Refused).properties?.ids).not.toHaveProperty('default');
    expect(schemaOf(RefusedOptional).properties?.ids).not.toHaveProperty('default');
    expect(schemaOf(Accepted).properties).toMatchObject({
      page: { default: 1 },
      name: { default: null },
    });
  });

  it('is no default either where a condition may pass it, and stays optional', () => {
    class Conditional {
      @ValidateIf(({ isMailed }: Conditional) => isMailed === true)
      @IsEmail()
      email = '';

      @IsOptional()
      isMailed?: boolean;
    }
    const { properties, required } = schemaOf(Conditional);
    expect(properties?.email).not.toHaveProperty('default');
    expect(required).toBeUndefined();
  });
});

describe('an object that makes its own JSON', () => {
  /** Like Sequelize's: its stored fields differ from its JSON. */
  class Model {
    dataValues: Record<string, unknown> = { isActive: true };
    _options = { isNewRecord: true };
    toJSON(): object {
      return { ...this.dataValues };
    }
  }

  it('has none of the fields that its JSON leaves out', () => {
    class User extends Model {}
    expect(schemaOf(User).properties).toEqual({});
    expect(outputSchemaOf(User).properties).toEqual({});
  });

  it('has those that its JSON contains', () => {
    class Settings {
      theme = 'dark';
      cache = {};
      toJSON(): object {
        return { theme: this.theme };
      }
    }
    expect(schemaOf(Settings).properties).toEqual({ theme: { type: 'string', default: 'dark' } });
  });
});

describe('a decorated object that makes its own JSON', () => {
  it('has its initial values, whatever its JSON calls or hides them', () => {
    class Page {
      @Expose({ name: 'page_size' })
      @IsInt()
      pageSize = 10;

      @IsInt()
      page = 1;

      at?: Date;

      toJSON(): object {
        return { page_size: this.pageSize, at: this.at!.toISOString() };
      }
    }
    const { required, properties } = schemaOf(Page);
    expect(required).toBeUndefined();
    expect(properties).toMatchObject({ page_size: { default: 10 }, page: { default: 1 } });
  });
});

describe('a documented default', () => {
  it('is shown only if the rules accept it', () => {
    class Dto {
      @ApiPropertyOptional({ default: 0 })
      @IsOptional()
      @Min(1)
      page?: number;

      @ApiPropertyOptional({ default: 10 })
      @IsOptional()
      @Min(1)
      size?: number;

      @ApiPropertyOptional({ default: '2020-01-01' })
      @IsOptional()
      @Type(() => Date)
      @IsDate()
      from?: Date;

      @ApiProperty({ default: [] })
      @ArrayNotEmpty()
      ids: string[] = [];
    }
    const { properties = {}, required } = schemaOf(Dto);
    expect(properties.page).not.toHaveProperty('default');
    expect(properties.ids).not.toHaveProperty('default');
    expect(properties).toMatchObject({ size: { default: 10 }, from: { default: '2020-01-01' } });
    expect(required).toEqual(['ids']);
  });

  it('is shown only if its own schema accepts it', () => {
    class Dto {
      @ApiPropertyOptional({ pattern: '^a+$', default: 'b' }) letters?: string;
      @ApiPropertyOptional({ pattern: '^a+$', default: 'aa' }) fine?: string;
      @ApiPropertyOptional({ minimum: 5, default: 1 }) count?: number;
      @ApiPropertyOptional({ maximum: 5, exclusiveMaximum: true, default: 5 }) below?: number;
      @ApiPropertyOptional({ enum: ['up', 'down'], default: 'left' }) way?: string;
      @ApiPropertyOptional({ type: [String], minItems: 1, default: [] }) tags?: string[];
      @ApiPropertyOptional({ type: String, maxLength: 1, default: null }) none?: string | null;
      @ApiPropertyOptional({ maxLength: 2 }) initial?: string = 'abc';
    }
    const { properties = {}, required } = schemaOf(Dto);
    const shown = Object.entries(properties).filter(([, one]) => 'default' in one);
    expect(shown.map(([name]) => name)).toEqual(['fine', 'none']);
    expect(required).toBeUndefined();
  });
});
