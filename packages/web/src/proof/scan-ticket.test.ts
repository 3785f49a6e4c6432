import { asciiBytes, fromHex } from '@fairball/domain/protocol/bytes'
import { nobleHash } from '@fairball/domain/protocol/hash'
import { TEST_ROUNDS, TestOperator } from '@fairball/domain/protocol/operator-fixture'
import { playId, playSecret, revokedListBytes, writeRevocationLeaf } from '@fairball/domain/protocol/plays'
import { RemoteError } from '@fairball/domain/protocol/remote-log'
import { describe, expect, it } from 'vitest'
import { filesOf, fileServer } from '../testing/served-operator.ts'
import { prove } from './prove.ts'
import { scanTicket, sealedListOf } from './scan-ticket.ts'

const ME = 'player-1'
const SECRET = nobleHash(asciiBytes('the order'))
const LINES = [
  [1, 2, 3],
  [4, 5, 9],
]

/** A draw with many plays, the player's in the second file of the list, and the files that are served. */
async function drawWith({
  until = 'sealed',
  isRevoked = false,
}: { until?: 'open' | 'sealed'; isRevoked?: boolean } = {}) {
  const operator = new TestOperator()
  const draw = operator.openDraw()
  const other = (place: number) => ({
    secret: nobleHash(asciiBytes(`order ${place}`)),
    username: 'other',
    lines: [[7, 8, 9]],
    free: 0,
    rate: 3000,
  })
  const own = { secret: SECRET, username: ME, lines: LINES, free: 0, rate: 3000 }
  operator.sell(draw, [...Array.from({ length: 300 }, (_, place) => other(place)), own])
  const openHash = fromHex(draw.open.hash)
  const ps = playSecret(SECRET, openHash)
  if (isRevoked) {
    const transaction = new Uint8Array(32).fill(7)
    draw.leaves.push(writeRevocationLeaf({ openHash, playId: playId(ps), index: 300, transaction }))
  }
  if (until === 'sealed') {
    operator.closeDraw(draw)
    await operator.seal(draw)
  }
  const bundle = await operator.bundle()
  const proof = prove(
    { bundle, trust: { policy: null, key: null, sights: [], heads: [] }, roots: new Map(), plays: [] },
    TEST_ROUNDS,
  )
  const [proven] = proof.draws
  if (proven === undefined) throw new Error('there is no draw')
  const files = new Map(await filesOf(operator))
  if (isRevoked) files.set(`draw/${draw.open.hash}/revoked`, revokedListBytes([{ index: 300, by: 301 }]))
  return { list: sealedListOf(bundle, proven), files, folder: `draw/${draw.open.hash}/`, ps }
}

const server = (files: ReadonlyMap<string, Uint8Array>, asked: string[] = []) => ({
  fetch: (async (address, options) => {
    if (typeof address === 'string') asked.push(address)
    return await fileServer(async () => files)(address, options)
  }) as ReturnType<typeof fileServer>,
})

/** The list of a draw that has been sealed. */
async function sealed(setting?: Parameters<typeof drawWith>[0]) {
  const { list, ...rest } = await drawWith(setting)
  if (list === null) throw new Error('the draw is not sealed')
  return { list, ...rest }
}

describe('a scanned ticket', () => {
  it('a ticket’s lines are found at their place, by requests that hold no part of its secret', async () => {
    const { list, files, folder, ps } = await sealed()
    const asked: string[] = []
    expect(await scanTicket(server(files, asked), list, { index: 300, ps, username: ME })).toEqual({
      kind: 'found',
      lines: LINES,
      isRevoked: false,
    })
    const path = (file: string) => `/fairball/${folder}${file}`
    expect(asked.toSorted()).toEqual(
      [path('tile/0/001.p/45'), path('tile/1/000.p/1'), path('tile/entries/001.p/45')].toSorted(),
    )
  })

  it('before the close there is no list', async () => {
    expect((await drawWith({ until: 'open' })).list).toBeNull()
  })

  it.each([
    ['another place', { index: 299 }],
    ['a place beyond the list', { index: 301 }],
    ['a place beyond any list', { index: 2 ** 40 }],
    ['another secret', { ps: new Uint8Array(32) }],
  ])('a ticket that is not at its place is not in the list: %s', async (_what, change) => {
    const { list, files, ps } = await sealed()
    expect(await scanTicket(server(files), list, { index: 300, ps, username: ME, ...change })).toEqual({
      kind: 'absent',
    })
  })

  it('a name that was changed on the ticket is not shown as the player’s', async () => {
    const { list, files, ps } = await sealed()
    expect(await scanTicket(server(files), list, { index: 300, ps, username: 'someone' })).toEqual({ kind: 'damaged' })
  })

  it('a play whose payment was reversed is found, and said not to count', async () => {
    const { list, files, ps } = await sealed({ isRevoked: true })
    expect(await scanTicket(server(files), list, { index: 300, ps, username: ME })).toMatchObject({ isRevoked: true })
    expect(await scanTicket(server(files), list, { index: 299, ps, username: ME })).toEqual({ kind: 'absent' })
    files.set(`draw/${list.open}/revoked`, new Uint8Array(16))
    await expect(scanTicket(server(files), list, { index: 300, ps, username: ME })).rejects.toThrow(RemoteError)
  })

  it('a list that does not lead to the sealed root shows nothing', async () => {
    const { list, files, folder, ps } = await sealed()
    const file = files.get(`${folder}tile/entries/001.p/45`)?.slice() ?? new Uint8Array()
    file[file.length - 1] = (file.at(-1) ?? 0) ^ 1
    files.set(`${folder}tile/entries/001.p/45`, file)
    await expect(scanTicket(server(files), list, { index: 300, ps, username: ME })).rejects.toThrow(RemoteError)
    files.delete(`${folder}tile/entries/001.p/45`)
    await expect(scanTicket(server(files), list, { index: 300, ps, username: ME })).rejects.toThrow(RemoteError)
  })
})
