import { IsOptional, IsPostalCode, IsString, MaxLength } from 'class-validator';

export class AddressDto {
  @IsString()
  @MaxLength(80)
  street!: string;

  @IsPostalCode('FR')
  postcode!: string;

  @IsOptional()
  @IsString()
  note?: string;
}
