import fc from 'fast-check'
import { expect, it } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { bankroll, networkFees, prizePool, stakesHeld, suspense, wallet } from './accounts.ts'
import { createLedger } from './service.ts'

const ledger = createLedger()
const AT = 1_735_732_800

it('moves money between accounts, and the debit accounts read as what they hold', async () => {
  const { db } = await testDatabase()
  await db.transaction((tx) =>
    ledger.post(tx, { event: 'deposit', subject: 'a', at: AT, moves: [{ from: wallet, to: suspense, sats: 500n }] }),
  )
  await db.transaction((tx) =>
    ledger.post(tx, { event: 'fee', subject: 'a', at: AT, moves: [{ from: networkFees, to: wallet, sats: 20n }] }),
  )
  expect(await ledger.balance(db, wallet)).toBe(480n)
  expect(await ledger.balance(db, suspense)).toBe(500n)
  expect(await ledger.balance(db, networkFees)).toBe(20n)
  expect(await ledger.violations(db)).toEqual([])
})

it('posts an event once for each subject', async () => {
  const { db } = await testDatabase()
  const transfer = { event: 'deposit', subject: 'a', at: AT, moves: [{ from: wallet, to: suspense, sats: 7n }] }
  const posted = await Promise.all(Array.from({ length: 5 }, () => db.transaction((tx) => ledger.post(tx, transfer))))
  expect(posted.filter(Boolean)).toHaveLength(1)
  expect(await ledger.balance(db, suspense)).toBe(7n)
})

it('refuses an amount below zero, and leaves out a move of nothing', async () => {
  const { db } = await testDatabase()
  const post = (sats: bigint) =>
    db.transaction((tx) =>
      ledger.post(tx, { event: 'x', subject: String(sats), at: AT, moves: [{ from: wallet, to: suspense, sats }] }),
    )
  await expect(post(-1n)).rejects.toThrow(RangeError)
  expect(await post(0n)).toBe(true)
  expect(await ledger.balancesByKind(db)).toEqual(new Map())
})

it('cannot be unbalanced, changed or added to later, whoever writes to it', async () => {
  const { db, connect } = await testDatabase()
  await db.transaction((tx) =>
    ledger.post(tx, { event: 'deposit', subject: 'a', at: AT, moves: [{ from: wallet, to: suspense, sats: 5n }] }),
  )
  const client = await connect()
  const [account] = (await client.query<{ id: string }>('select id from ledger_accounts limit 1')).rows
  const [transfer] = (await client.query<{ id: string }>('select id from transfers limit 1')).rows
  await expect(client.query('update postings set amount_sats = 1')).rejects.toThrow('append-only')
  await expect(client.query('delete from postings')).rejects.toThrow('append-only')
  await expect(client.query('truncate transfers cascade')).rejects.toThrow('append-only')
  await expect(
    client.query('insert into postings (transfer_id, account_id, amount_sats) values ($1, $2, 3)', [
      transfer?.id,
      account?.id,
    ]),
  ).rejects.toThrow('in the transaction of their transfer')
  await expect(
    client.query(
      `with made as (insert into transfers (at, event, key) values (1, 'forged', 'forged') returning id)
       insert into postings (transfer_id, account_id, amount_sats) select made.id, $1, 10 from made`,
      [account?.id],
    ),
  ).rejects.toThrow(/foreign key|postings that sum to/)
  await client.query('begin')
  await client.query(`insert into transfers (at, event, key) values (1, 'forged', 'forged')`)
  await client.query(
    `insert into postings (transfer_id, account_id, amount_sats) select max(id), $1, 10 from transfers`,
    [account?.id],
  )
  await expect(client.query('commit')).rejects.toThrow('postings that sum to 10')
})

it('reads the same balance before and after a checkpoint, whatever was posted', async () => {
  const { db } = await testDatabase()
  let count = 0
  await fc.assert(
    fc.asyncProperty(fc.array(fc.bigInt({ min: 1n, max: 10n ** 12n }), { maxLength: 8 }), async (amounts) => {
      for (const sats of amounts) {
        count += 1
        await db.transaction((tx) =>
          ledger.post(tx, {
            event: 'play',
            subject: String(count),
            at: AT,
            moves: [
              { from: wallet, to: stakesHeld('treasure'), sats },
              { from: stakesHeld('treasure'), to: prizePool('treasure'), sats: (sats * 4n) / 5n },
              { from: stakesHeld('treasure'), to: bankroll, sats: sats - (sats * 4n) / 5n },
            ],
          }),
        )
      }
      const before = await ledger.balance(db, prizePool('treasure'))
      await db.transaction((tx) => ledger.checkpoint(tx, prizePool('treasure')))
      expect(await ledger.balance(db, prizePool('treasure'))).toBe(before)
      expect(await ledger.balance(db, stakesHeld('treasure'))).toBe(0n)
    }),
    { numRuns: 20 },
  )
  expect(await ledger.violations(db)).toEqual([])
})

it('misses no posting of a transaction that was under way when a checkpoint was taken', async () => {
  const { db } = await testDatabase()
  const post = (subject: number) =>
    db.transaction((tx) =>
      ledger.post(tx, {
        event: 'play',
        subject: String(subject),
        at: AT,
        moves: [{ from: wallet, to: bankroll, sats: 1n }],
      }),
    )
  await post(0)
  const work = Array.from({ length: 60 }, (_, index) => post(index + 1))
  for (let time = 0; time < 10; time += 1) await db.transaction((tx) => ledger.checkpoint(tx, bankroll))
  await Promise.all(work)
  await db.transaction((tx) => ledger.checkpoint(tx, bankroll))
  expect(await ledger.balance(db, bankroll)).toBe(61n)
})
