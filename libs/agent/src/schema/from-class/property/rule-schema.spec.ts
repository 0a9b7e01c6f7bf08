import * as cv from 'class-validator';
import { schemaOf } from '../schema-of';

function schemaWith(...decorators: readonly PropertyDecorator[]) {
  class Dto {}
  for (const decorate of decorators) decorate(Dto.prototype, 'value');
  return schemaOf(Dto).properties?.['value'];
}

describe('the example of a rule', () => {
  it.each<[string, ...PropertyDecorator[]]>([
    ['another country’s phone number', cv.IsPhoneNumber('DE')],
    ['another country’s mobile phone number', cv.IsMobilePhone('de-DE')],
    ['another country’s postal code', cv.IsPostalCode('GB')],
    ['letters of another alphabet', cv.IsAlpha('ru-RU')],
    ['other decimal places', cv.IsDecimal({ force_decimal: true, decimal_digits: '3' })],
    ['another currency', cv.IsCurrency({ symbol: '€', require_symbol: true })],
    ['another host', cv.IsUrl({ host_whitelist: ['example.org'] })],
    ['too long a text', cv.IsHexColor(), cv.MaxLength(4)],
    ['too weak a password', cv.IsStrongPassword({ minSymbols: 3 })],
  ])('is left out where it would be %s', (_, ...decorators) => {
    expect(schemaWith(...decorators)).not.toHaveProperty('examples');
  });

  it.each<[string, PropertyDecorator, string]>([
    ['a phone number', cv.IsPhoneNumber('FR'), '+33612345678'],
    ['an IP address', cv.IsIP(), '192.0.2.1'],
    ['an IPv6 address', cv.IsIP(6), '2001:db8::1'],
    ['an ISBN-10', cv.IsISBN('10'), '316148410X'],
    ['an e-mail address with options', cv.IsEmail({ require_tld: false }), 'jane@example.com'],
  ])('is %s that the rule accepts', (_, decorator, example) => {
    expect(schemaWith(decorator)).toMatchObject({ examples: [example] });
  });

  it('is dropped for the members of a list as well', () => {
    const members = { type: 'string', description: 'phone number of DE' };
    expect(schemaWith(cv.IsArray(), cv.IsPhoneNumber('DE', { each: true }))).toEqual({
      type: 'array',
      items: members,
    });
  });
});
