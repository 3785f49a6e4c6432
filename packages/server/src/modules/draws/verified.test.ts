import { asciiBytes, concatBytes, fromHex, toHex } from '@fairball/domain/protocol/bytes'
import { nobleHash } from '@fairball/domain/protocol/hash'
import { chooseStatements, type LogSource, makeBundle, makeSeal } from '@fairball/domain/protocol/make-bundle'
import { playSecret } from '@fairball/domain/protocol/plays'
import { readPolicy } from '@fairball/domain/protocol/policy'
import { leafHash, rootOf } from '@fairball/domain/protocol/tree'
import { NO_TRUST } from '@fairball/domain/protocol/trust'
import { verifyBundle } from '@fairball/domain/protocol/verify'
import { expect, it } from 'vitest'
import { START_AT, testLottery, type TestLottery } from '../../../test/lottery.ts'
import { policyOf, testWitness } from '../../../test/witness.ts'
import { cosignedCheckpoint } from '../fairness/in-force.ts'
import { papersOf } from '../payments/service.ts'

const HERO = 'bitcoin-hero'
const FIRST_START_AT = START_AT + 15 * 60
const LINES = Array.from({ length: 60 }, (_, place) => [1 + (place % 5), 8, 12 + (place % 7), 24, 30 + (place % 6)])

/** The log of a lottery, as the maker of a bundle reads it: from the database, not from what is served. */
async function sourceOf({
  db,
  log,
}: TestLottery): Promise<{ source: LogSource; logged: Awaited<ReturnType<typeof log>> }> {
  const logged = await log()
  const hashes = logged.map(({ text }) => leafHash(nobleHash, asciiBytes(text)))
  return {
    logged,
    source: {
      head: await cosignedCheckpoint(db, logged.length),
      statement: async (index) => logged[index]?.text ?? '',
      node: async ({ level, index }) => rootOf(nobleHash, hashes.slice(index * 2 ** level, (index + 1) * 2 ** level)),
    },
  }
}

/** A bundle of a draw of bitcoin-hero with all its plays and the receipts of one of them. */
async function bundleOf(test: TestLottery, number: number, playerId: bigint) {
  const { rows, db, lottery } = test
  const { source, logged } = await sourceOf(test)
  const [draw] = await rows<{
    id: string
    open_hash: string
    round: string
    beacon_signature: string
    sections: Buffer
  }>(`select id, open_hash, round, beacon_signature, sections from draws where game_key = $1 and number = $2`, [
    HERO,
    number,
  ])
  if (draw === undefined) throw new Error('there is no such draw')
  const open = logged.find(({ hash }) => hash === draw.open_hash)?.statement
  if (open?.type !== 'open') throw new Error('a draw is announced')
  const close = logged.find(({ statement }) => statement.type === 'close' && statement.open === draw.open_hash)
  const result = logged.find(({ statement }) => statement.type === 'result' && statement.close === close?.hash)
  const start = logged.findLastIndex(({ statement }) => statement.time < open.close)
  const [{ size } = { size: '0' }] = await rows<{ size: string }>(
    `select min(size) as size from cosignatures where size > $1`,
    [close?.index],
  )
  const leaves = await rows<{ leaf: Buffer }>(`select leaf from play_leaves where draw_id = $1 order by index`, [
    draw.id,
  ])
  const entries = leaves.flatMap(({ leaf }) => [
    new Uint8Array([leaf.length >> 8, leaf.length & 255]),
    new Uint8Array(leaf),
  ])
  const texts = await rows<{ text: string }>(`select text from texts where hash in ($1, $2)`, [open.rules, open.policy])
  const [play] = await rows<{ id: string }>(`select id from plays where draw_id = $1 limit 1`, [draw.id])
  const papers = await papersOf(lottery.payments, play?.id ?? '', playerId)
  const secret = toHex(playSecret(fromHex(papers.secret), fromHex(draw.open_hash)))
  return await makeBundle(
    source,
    {
      statements: chooseStatements(logged, [draw.open_hash]),
      texts: texts.map(({ text }) => text),
      draws: [
        {
          open: draw.open_hash,
          beacon: { round: Number(draw.round), signature: draw.beacon_signature },
          plays: { sections: new Uint8Array(draw.sections), parts: [{ section: 0, leaves: concatBytes(...entries) }] },
          postpones: [],
          seal: await makeSeal(source, await cosignedCheckpoint(db, Number(size)), start, nobleHash),
          final: result?.index ?? null,
        },
      ],
      papers: papers.receipts.map(({ note, path }) => ({
        note,
        secret,
        username: papers.username,
        lines: null,
        path,
        preimage: null,
      })),
    },
    nobleHash,
  )
}

it('every check of a verifier that trusts the witness passes, in each of two successive draws', async () => {
  const witness = testWitness(1, () => START_AT)
  const test = await testLottery({ witnesses: [witness] })
  const playerId = await test.addPlayer()
  await test.buy({ playerId, gameKey: HERO, lines: LINES, days: [3] })
  await test.moveTo(FIRST_START_AT + 200)
  await test.buy({ playerId, gameKey: HERO, lines: LINES, days: [3] })
  await test.moveTo(FIRST_START_AT + 7 * 3600)
  const trust = { ...NO_TRUST, policy: readPolicy(policyOf([witness], 1)) }
  for (const number of [1, 2]) {
    const report = verifyBundle(await bundleOf(test, number, playerId), trust)
    const [draw] = report.draws
    const { 'beacon.chain': chain, ...checks } = draw?.checks ?? {}
    const short = Object.entries(checks).filter(([, { status }]) => status !== 'pass')
    expect(short).toEqual([])
    expect(Object.keys(checks)).toEqual(
      expect.arrayContaining(['seal.seen', 'result.tiers', 'receipt.leaf', 'receipt.owner']),
    )
    // Only its own beacon keeps it from being proved.
    expect([report.outcome, chain]).toEqual(['holds', { status: 'unknown', why: 'a private beacon' }])
  }
})
