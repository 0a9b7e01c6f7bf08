import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { IsDefined, IsInt, IsObject, IsString, IsUrl, ValidateNested } from 'class-validator';

abstract class Place {
  type!: string;
}
export class Room extends Place {
  @IsString()
  name!: string;
}
export class Online extends Place {
  @IsUrl()
  url!: string;
}

// #region meeting
export class MeetingDto {
  @IsDefined()
  startsAt!: Date; // from ISO 8601 text, or milliseconds

  @IsDefined()
  @ValidateNested()
  @Type(() => Place, {
    discriminator: {
      property: 'type',
      subTypes: [
        { value: Room, name: 'room' }, // { "type": "room", "name": … }
        { value: Online, name: 'online' }, // { "type": "online", "url": … }
      ],
    },
    keepDiscriminatorProperty: true,
  })
  place!: Room | Online;

  @IsObject()
  @IsInt({ each: true })
  votes!: Map<string, number>; // from { "ada": 2 }

  @ValidateNested({ each: true })
  @Type(() => MeetingDto)
  followUps: MeetingDto[] = []; // a class may reach itself: by $ref

  @Expose({ name: 'max-seats' })
  @IsInt()
  maxSeats!: number; // the model sends "max-seats"

  @Transform(({ value }) => String(value).trim())
  @IsString()
  room!: string; // anything may be sent: the application makes text of it

  @Exclude()
  createdBy = 'nobody'; // refused as unknown
}
// #endregion meeting
