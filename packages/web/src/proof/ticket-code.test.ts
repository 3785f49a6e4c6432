import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from '@fairball/domain/protocol/bytes'
import { readTicketCode, writeTicketCode } from './ticket-code.ts'

// docs/fairness.md, section 14.
const PS = fromHex('ba61af44d08eaaff83ee90760f4ec082ab66c840b1bfce30aa40ae55bb5c1ce4')
const SECRET = 'umGvRNCOqv-D7pB2D07AgqtmyECxv84wqkCuVbtcHOQ'
const CODE = `t=2.4.${SECRET}.player-k3x9qd`

describe('the code of a ticket', () => {
  it('a code has the play’s place, its secret in base64url, and the percent-encoded name', () => {
    expect(writeTicketCode({ index: 4, ps: PS, username: 'player-k3x9qd' })).toBe(CODE)
    expect(writeTicketCode({ index: 0, ps: PS, username: "Ann O'Neil" })).toBe(`t=2.0.${SECRET}.Ann%20O'Neil`)
  })

  it.each(['player-k3x9qd', "Ann O'Neil", 'a_b', 'x'.repeat(250)])(
    'a code is read as it was written: %s',
    (username) => {
      for (const index of [0, 255, 256, 2 ** 40]) {
        const read = readTicketCode(writeTicketCode({ index, ps: PS, username }))
        expect(read).toMatchObject({ index, username })
        expect(toHex(read?.ps ?? new Uint8Array())).toBe(toHex(PS))
      }
    },
  )

  it.each([
    ['nothing', ''],
    ['another fragment', 'build'],
    ['the prefix alone', 't='],
    ['another version', CODE.replace('t=2.', 't=3.')],
    ['no version', CODE.replace('t=2.', 't=')],
    ['a name with a dot', `${CODE}.more`],
    ['no name', CODE.slice(0, -'player-k3x9qd'.length)],
    ['a negative index', CODE.replace('.4.', '.-4.')],
    ['an index with a leading zero', CODE.replace('.4.', '.04.')],
    ['an index with a sign', CODE.replace('.4.', '.+4.')],
    ['an index in hex', CODE.replace('.4.', '.0x4.')],
    ['an index with an exponent', CODE.replace('.4.', '.4e2.')],
    ['an index beyond any tree', CODE.replace('.4.', '.9007199254740993.')],
    ['a secret that is cut off', CODE.replace(SECRET, SECRET.slice(0, -1))],
    ['a secret that is too long', CODE.replace(SECRET, `${SECRET}A`)],
    ['a secret in standard base64', CODE.replace('qv-D', 'qv+D')],
    ['a padded secret', CODE.replace(SECRET, `${SECRET}=`)],
    ['a secret with bits beyond its bytes', CODE.replace('cHOQ.', 'cHOR.')],
    ['half a percent code', CODE.replace('player', '%4')],
    ['bytes that are not UTF-8', CODE.replace('player', '%ff')],
    ['a name beyond ASCII', CODE.replace('player', '%C3%A9')],
    ['a line break in the name', CODE.replace('player', '%0A')],
    ['markup in the name', CODE.replace('player', '%3Cimg%3E')],
    ['a space at the name’s end', `${CODE}%20`],
    ['a name that is too long', CODE.replace('player', 'x'.repeat(251))],
    ['a line break after the code', `${CODE}\n`],
    ['a second code', `${CODE}#${CODE}`],
    ['a huge code', `t=2.${'4'.repeat(1_000_000)}`],
  ])('a damaged code is refused: %s', (_what, fragment) => {
    expect(readTicketCode(fragment)).toBeNull()
  })
})
