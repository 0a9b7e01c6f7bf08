import {
  BadRequestException,
  Catch,
  type ExceptionFilter,
  HttpException,
  Injectable,
  type PipeTransform,
} from '@nestjs/common';

/** A pipe that fails for some values. */
@Injectable()
export class EvenPipe implements PipeTransform {
  transform(value: unknown): unknown {
    if (Number(value) % 2 === 1) throw new BadRequestException('Only even numbers.');
    return value;
  }
}

/** A filter that fails for every error. */
@Catch(HttpException)
export class TeapotFilter implements ExceptionFilter {
  catch(): never {
    throw new HttpException('A teapot now.', 418);
  }
}
