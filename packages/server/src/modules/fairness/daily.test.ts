import { fromHex, toHex } from '@fairball/domain/protocol/bytes'
import { nobleHash } from '@fairball/domain/protocol/hash'
import { isInSum, readReserves, sumLeaf } from '@fairball/domain/protocol/solvency'
import type { LogStatement } from '@fairball/domain/protocol/statements'
import { isIncluded, leafHash } from '@fairball/domain/protocol/tree'
import { describe, expect, it } from 'vitest'
import { Crasher } from '../../../test/crasher.ts'
import { START_AT, testLottery, type TestLottery } from '../../../test/lottery.ts'
import { bankroll, winnings } from '../ledger/accounts.ts'
import { balancesByKind, postTransfer } from '../ledger/service.ts'
import { heldSats } from '../treasury/service.ts'
import { fileAt } from './files.ts'
import { paidTo, solvencyOf, stateCode } from './service.ts'
import { statePaid } from './paid.ts'
import { stateSolvency } from './solvency.ts'

const GAME = 'bitcoin-hero'
const NUMBERS = [1, 2, 3, 4, 5]
const DAY = 86_400
type Daily = 'paid' | 'solvency' | 'code'
const FIRST_START_AT = START_AT + 15 * 60
const FIRST_END_AT = FIRST_START_AT + 160

/** A lottery in which two players won the first draw. It is settled; their prizes have not left yet. */
async function wonLottery(options: Parameters<typeof testLottery>[0] = {}) {
  const test = await testLottery(options)
  const winners = [await test.addPlayer(), await test.addPlayer()]
  for (const playerId of winners)
    await test.buy({ playerId, gameKey: GAME, lines: [NUMBERS, [1, 2, 3, 4, 9]], days: [3] })
  await test.moveTo(FIRST_START_AT + 60)
  await test.rig(GAME, NUMBERS)
  await test.moveTo(FIRST_END_AT)
  return { test, winners }
}

async function statements<T extends Daily>(test: TestLottery, type: T): Promise<Extract<LogStatement, { type: T }>[]> {
  const isOfType = (statement: LogStatement): statement is Extract<LogStatement, { type: T }> => statement.type === type
  return (await test.log()).map(({ statement }) => statement).filter(isOfType)
}

async function newest<T extends Daily>(test: TestLottery, type: T): Promise<Extract<LogStatement, { type: T }>> {
  const found = (await statements(test, type)).at(-1)
  if (found === undefined) throw new Error(`no ${type} statement`)
  return found
}

const midnightAfter = (at: number): number => (Math.floor(at / DAY) + 1) * DAY

/** Owes a player money that nothing else explains. */
async function owe({ db, runtime }: TestLottery, playerId: bigint, sats: bigint): Promise<void> {
  const moves = [{ from: bankroll, to: winnings(playerId), sats }]
  const transfer = { event: 'test.owed', subject: String(playerId), at: runtime.clock.now(), moves }
  await db.transaction((tx) => postTransfer(tx, transfer))
}

describe('statements of payments', () => {
  it('the log states each final prize once a day, and gives its leaf only to its payee', async () => {
    const { test, winners } = await wonLottery()
    await test.moveTo(midnightAfter(test.runtime.clock.now()) + 60)
    const paid = await newest(test, 'paid')
    const prizes = await test.rows<{ sats: string }>(`select sats from payables where kind = 'prize'`)
    expect(prizes).toHaveLength(4)
    expect(paid.size).toBe(4)
    const total = prizes.reduce((sum, { sats }) => sum + BigInt(sats), 0n)
    expect(paid.draw.map(({ won, paid: sats }) => [won, sats])).toContainEqual([total, total])
    for (const playerId of winners) {
      const { prizes_paid: own } = await paidTo(test.db, playerId)
      expect(own).toHaveLength(2)
      for (const { index, leaf, path } of own) {
        const hash = leafHash(nobleHash, fromHex(leaf))
        const proof = path.map((node) => fromHex(node))
        const at = { index, size: paid.size, root: fromHex(paid.root) }
        expect(isIncluded(nobleHash, at, hash, proof)).toBe(true)
      }
    }
    expect(await fileAt(test.db, 'paid/tile/0/000.p/4')).not.toBeNull()
    expect(await fileAt(test.db, 'paid/tile/entries/000.p/4')).toBeNull()
    expect(await test.violations()).toEqual([])
  })

  it('a statement names a draw without winners, and leaves out prizes that are not six blocks deep', async () => {
    const { test } = await wonLottery()
    const { payouts, fairness } = test.lottery
    await statePaid(fairness, payouts.network)
    const paid = await newest(test, 'paid')
    expect([paid.size, paid.root]).toEqual([0, toHex(nobleHash())])
    expect(paid.draw.every(({ paid: sats }) => sats === 0n)).toBe(true)
    expect(await test.violations()).toEqual([])
  })

  it('two workers at once add one statement, and no other follows on the same day', async () => {
    const { test } = await wonLottery()
    const day = midnightAfter(test.runtime.clock.now())
    await test.rows(`delete from jobs where kind = 'fairness.paid'`)
    await test.moveTo(day + 60)
    const before = (await statements(test, 'paid')).length
    const other = await test.beside({})
    const { network } = test.lottery.payouts
    await Promise.all([statePaid(test.lottery.fairness, network), statePaid(other.fairness, network)])
    await statePaid(other.fairness, network)
    expect(await statements(test, 'paid')).toHaveLength(before + 1)
    expect((await newest(test, 'paid')).size).toBe(4)
    expect(await test.violations()).toEqual([])
  })

  it('each prize is stated once, wherever a process dies between its payout and the statement', async () => {
    const crasher = new Crasher()
    const { test } = await wonLottery({ wrapDb: (db) => crasher.wrapDb(db) })
    await test.rows(`delete from jobs where kind = 'fairness.paid'`)
    await test.moveTo(midnightAfter(test.runtime.clock.now()) + 60)
    const { fairness, payouts } = test.lottery
    const deaths: string[] = []
    for (const [call, when] of [
      [1, 'before'],
      [2, 'before'],
      [2, 'after'],
      [1, 'after'],
    ] as const) {
      crasher.arm(call, when)
      await statePaid(fairness, payouts.network).catch((error: Error) => deaths.push(error.message))
      crasher.arm(0, 'before')
    }
    expect(deaths).toHaveLength(4)
    await statePaid(fairness, payouts.network)
    expect(await test.rows(`select payment from paid_leaves`)).toHaveLength(4)
    expect((await newest(test, 'paid')).size).toBe(4)
    expect(await test.violations()).toEqual([])
  })
})

describe('statements of money owed', () => {
  it('the statement covers what the ledger owes to others, and each account finds its own', async () => {
    const { test } = await wonLottery()
    const { fairness, treasury } = test.lottery
    await stateSolvency(fairness, await heldSats(treasury))
    const said = await newest(test, 'solvency')
    const balances = await balancesByKind(test.db)
    const own = new Set(['wallet', 'network_fees', 'losses', 'bankroll', 'operator_fee', 'fee_reserve'])
    const owed = [...balances].reduce((sum, [kind, sats]) => (own.has(kind) ? sum : sum + sats), 0n)
    expect(said.liability.reduce((sum, { sats }) => sum + sats, 0n)).toBe(owed)
    expect(said.liability.map(({ kind }) => kind)).toEqual(['players', 'pots', 'stakes', 'reserve', 'partners'])
    expect(said.reserves).toBe(await test.lottery.chain.balanceSats())
    const [kept] = await test.rows<{ text: string }>(`select text from texts where hash = $1`, [said.proof])
    expect(readReserves(kept?.text ?? '').utxo).toEqual([])
    expect(await test.violations()).toEqual([])
  })

  it('each account has a path from its leaf to the total', async () => {
    const { test } = await wonLottery()
    const waiting = [
      await test.addPlayer({ address: null }),
      await test.addPlayer({ address: null }),
      await test.addPlayer({ address: null }),
    ]
    const moves = waiting.map((playerId, place) => ({ playerId, sats: BigInt(1000 + place) }))
    for (const { playerId, sats } of moves) await owe(test, playerId, sats)
    await stateSolvency(test.lottery.fairness, 5_000_000n)
    const said = await newest(test, 'solvency')
    expect(said.accounts).toBeGreaterThanOrEqual(3)
    const root = { hash: fromHex(said.root), sats: said.owed }
    for (const { playerId, sats } of moves) {
      const { solvency } = await solvencyOf(test.db, playerId)
      if (solvency === null) throw new Error('the account is not in the statement')
      expect(solvency.sats).toBe(String(sats))
      const leaf = sumLeaf({ nonce: fromHex(solvency.nonce), username: solvency.username, sats })
      const path = solvency.path.map(({ side, hash, sats: sum }) => ({ side, hash: fromHex(hash), sats: BigInt(sum) }))
      expect(isInSum(leaf, path, root)).toBe(true)
      expect(isInSum({ ...leaf, sats: sats + 1n }, path, root)).toBe(false)
    }
    expect(await test.violations()).toEqual([])
  })

  it('the statement is made once a day, and only the newest keeps its accounts', async () => {
    const { test } = await wonLottery()
    const before = (await statements(test, 'solvency')).length
    const other = await test.beside({})
    await Promise.all([stateSolvency(test.lottery.fairness, 1n), stateSolvency(other.fairness, 1n)])
    expect(await statements(test, 'solvency')).toHaveLength(before + 1)
    const day = midnightAfter(test.runtime.clock.now())
    await test.moveTo(day + 60)
    expect(await statements(test, 'solvency')).toHaveLength(before + 2)
    expect((await test.rows(`select distinct hash from solvency_leaves`)).length).toBeLessThanOrEqual(1)
    expect(await test.violations()).toEqual([])
  })
})

describe('statements of the code', () => {
  const file = [{ hash: 'a'.repeat(64), path: 'fairness/fairball-verify.html' }]
  const code = { version: '0.1.0', commit: '1'.repeat(40), file }

  it('a build that differs from the previous one is stated at its start', async () => {
    const test = await testLottery()
    const { fairness } = test.lottery
    await Promise.all([stateCode(fairness, code), stateCode(fairness, code)])
    expect(await statements(test, 'code')).toHaveLength(1)
    await test.moveTo(test.runtime.clock.now() + 1)
    await stateCode(fairness, { ...code, file: [{ hash: 'b'.repeat(64), path: 'fairness/fairball-verify.html' }] })
    await test.moveTo(test.runtime.clock.now() + 1)
    await stateCode(fairness, code)
    expect((await statements(test, 'code')).map((said) => said.file[0]?.hash[0])).toEqual(['a', 'b', 'a'])
    expect(await test.violations()).toEqual([])
  })
})
