import type { Shape, ShapeField } from '../../shared/value-form/shape.ts'

const text: Shape = { kind: 'text' }
const mail: Shape = { kind: 'text', type: 'email' }
const url: Shape = { kind: 'text', type: 'url' }
const long: Shape = { kind: 'text', isLong: true }
const picture: Shape = { kind: 'picture' }
const sats: Shape = { kind: 'number', isNullable: true }
const listOf = (item: string, fields: readonly ShapeField[]): Shape => ({
  kind: 'list',
  item,
  of: { kind: 'object', fields },
})
const unless = (fields: readonly ShapeField[]): Shape => ({ kind: 'object', isNullable: true, fields })
const id: ShapeField = { name: 'id', label: 'Id', hint: 'Small letters, digits and dashes.', shape: text }

const COLOR: Shape = { kind: 'text', type: 'color' }
const SIGN = unless([
  { name: 'light', label: 'On light paper', hint: 'PNG or WebP, at most 200 kB.', shape: picture },
  { name: 'dark', label: 'On dark paper', hint: 'PNG or WebP, at most 200 kB.', shape: picture },
])
const LEGAL = unless([
  { name: 'date', label: 'Date of the text', shape: { kind: 'text', type: 'date' } },
  { name: 'markdown', label: 'Text, in Markdown', shape: long },
])

/** The form of each setting. Nothing typed as an amount is no limit. */
export const SETTING_SHAPES: Readonly<Record<string, Shape>> = {
  'site.name': text,
  'site.colors': unless([
    { name: 'paper', label: 'Paper', shape: COLOR },
    { name: 'ink', label: 'Ink', shape: COLOR },
  ]),
  'site.logo': SIGN,
  'site.icon': SIGN,
  support_email: { kind: 'text', type: 'email', isNullable: true },
  'mail.from': {
    kind: 'object',
    fields: [
      { name: 'name', label: 'Name of the sender', shape: text },
      {
        name: 'address',
        label: 'Address of the sender',
        hint: 'A new one gets a code: type it under Health.',
        shape: mail,
      },
    ],
  },
  operator: unless([
    { name: 'name', label: 'Name', shape: text },
    { name: 'licence', label: 'Licence', shape: text },
    { name: 'address', label: 'Postal address', shape: { kind: 'list', item: 'Line', of: text } },
    { name: 'email', label: 'Email', shape: mail },
    { name: 'phone', label: 'Telephone', shape: { kind: 'text', isNullable: true } },
    {
      name: 'source',
      label: 'Source code',
      hint: 'Its address, if you changed the program: the licence asks for it.',
      shape: { kind: 'text', type: 'url', isNullable: true },
    },
  ]),
  social: listOf('Link', [
    { name: 'network', label: 'Network', hint: 'Such as x, facebook or instagram.', shape: text },
    { name: 'url', label: 'Address', shape: url },
  ]),
  causes: listOf('Cause', [
    id,
    { name: 'title', label: 'Title', shape: text },
    { name: 'description', label: 'Description', shape: long },
    { name: 'image', label: 'Picture', shape: { kind: 'picture', isNullable: true } },
    { name: 'link', label: 'Link', shape: url },
  ]),
  partners: listOf('Partner', [
    id,
    { name: 'name', label: 'Name', shape: text },
    { name: 'url', label: 'Website', shape: url },
    {
      name: 'address',
      label: 'Bitcoin address',
      hint: 'A new one counts 48 hours later.',
      shape: { kind: 'text', isNullable: true },
    },
  ]),
  feedback_form_url: { kind: 'text', type: 'url', isNullable: true },
  'legal.terms': LEGAL,
  'legal.privacy': LEGAL,
  'legal.cookies': LEGAL,
  'payouts.approval_sats': sats,
  'payouts.float_sats': sats,
  'payouts.two_person_sats': sats,
  'bitcoin.confirmations': { kind: 'number' },
}
