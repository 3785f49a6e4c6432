import { satsToBtc } from '@fairball/domain/money'
import type { Tx } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import { Refused } from '../../kernel/errors.ts'
import { BITCOIN_CORE } from '../../ports/payment-provider/bitcoin-core.ts'
import {
  bankroll,
  type LedgerAccount,
  lightning,
  losses,
  networkFees,
  operatorFee,
  suspense,
  wallet,
} from '../ledger/accounts.ts'
import { balanceOf, lockAccount, type Move, postTransfer } from '../ledger/service.ts'
import { findPayoutTxs, listReadings, moveMovement, readStatus, type TreasuryStatus } from '../treasury/service.ts'
import { act, actFor, noteAction, type OperatorContext } from './action.ts'
import * as queries from './treasury-queries.ts'

// The operator's own money, in and out (decisions section 5). No wallet is asked and nothing is sent: each action books
// what already happened on the chain, in one transaction with the line of the audit log that says who did it.

/** Possible sources of money that left. Reserves of draws are separate accounts, from which nothing is withdrawn. */
const SOURCES: Readonly<Record<string, LedgerAccount>> = {
  'operator-fee': operatorFee,
  bankroll,
  suspense,
  losses,
}
export const WITHDRAW_SOURCES = Object.keys(SOURCES)

/** What the operator sees of the treasury. */
export interface TreasuryView {
  readonly status: TreasuryStatus
  /** the stored readings, each with its time */
  readonly readings: readonly RowOf<typeof listReadings>[]
  readonly ledgerSats: bigint
  readonly suspenseSats: bigint
  readonly bankrollSats: bigint
  readonly operatorFeeSats: bigint
  readonly unbooked: readonly RowOf<typeof queries.listUnbooked>[]
  readonly deposits: readonly RowOf<typeof queries.listDeposits>[]
}

/** The balance of an account, which nothing else changes until the transaction ends. @throws Refused below `sats` */
async function assertHolds(tx: Tx, account: LedgerAccount, sats: bigint): Promise<void> {
  if (account === losses) return
  await lockAccount(tx, account)
  const heldSats = await balanceOf(tx, account)
  if (heldSats >= sats) return
  const name = account.kind.replaceAll('_', ' ')
  throw new Refused(`The ledger account ${name} holds ${btc(heldSats)}, and this takes ${btc(sats)}.`)
}

/** Takes unknown deposits out of suspense: all of them, or none. @returns their total, in sats */
function takeDeposits(
  ctx: OperatorContext,
  outpoints: readonly string[],
  how: {
    action: string
    event: string
    to: LedgerAccount
    takenFor: string
    said: (sats: bigint, what: string) => string
  },
): Promise<bigint> {
  return ctx.db.transaction(async (tx) => {
    let sumSats = 0n
    // In one order, so that two commands never wait for each other.
    for (const outpoint of [...new Set(outpoints)].toSorted()) {
      const { sats, times } = await lockedDeposit(tx, outpoint)
      await assertHolds(tx, suspense, sats)
      const moves = [{ from: suspense, to: how.to, sats }]
      await postTransfer(tx, { event: how.event, subject: `${outpoint}:${times}`, at: ctx.runtime.clock.now(), moves })
      await tx.execute(queries.takeDeposit, [outpoint, ctx.runtime.clock.now(), how.takenFor])
      await noteAction(ctx, tx, { action: how.action, subject: outpoint, detail: how.said(sats, outpoint) })
      sumSats += sats
    }
    return sumSats
  })
}

/** A deposit in suspense, locked until the transaction ends. @throws Refused */
async function lockedDeposit(tx: Tx, outpoint: string): Promise<{ sats: bigint; times: number }> {
  const deposit = await tx.maybeOne(queries.lockDeposit, [outpoint])
  if (deposit === null) throw new Refused(`There is no unknown deposit ${outpoint}.`)
  const { sats, timesConfirmed: times } = deposit
  if (deposit.confirmedAt === null)
    throw new Refused(`The deposit ${outpoint} is not confirmed: it stands in suspense once it is.`)
  // Other providers do not report how deep it is.
  if (deposit.provider === BITCOIN_CORE && deposit.finalAt === null)
    throw new Refused(`The deposit ${outpoint} is not six blocks deep yet: a block may still take it back.`)
  if (deposit.takenConfirmation === times)
    throw new Refused(`The deposit ${outpoint} was taken out of suspense before: ${deposit.takenFor ?? ''}.`)
  return { sats, times }
}

/** The state of everything. */
export function viewTreasury(ctx: OperatorContext): Promise<TreasuryView> {
  return actFor(ctx, 'treasury', 'all', async (tx) => {
    const view: TreasuryView = {
      status: await readStatus(tx),
      readings: await tx.run(listReadings, []),
      ledgerSats: await balanceOf(tx, wallet),
      suspenseSats: await balanceOf(tx, suspense),
      bankrollSats: await balanceOf(tx, bankroll),
      operatorFeeSats: await balanceOf(tx, operatorFee),
      unbooked: await tx.run(queries.listUnbooked, []),
      deposits: await tx.run(queries.listDeposits, []),
    }
    return [view, `${view.unbooked.length} unbooked, ${view.deposits.length} unknown deposits`]
  })
}

/** Notes in the audit log what the operator did without booking anything. */
export async function noteSweep(ctx: OperatorContext, subject: string, detail: string): Promise<void> {
  await ctx.db.transaction((tx) => noteAction(ctx, tx, { action: 'sweep-plan', subject, detail }))
}

/** Makes unknown deposits the operator's bankroll, all of them or none. @throws Refused */
export async function depositBankroll(ctx: OperatorContext, ...outpoints: string[]): Promise<string> {
  const said = (sats: bigint, what: string): string => `${btc(sats)} of ${what} are bankroll.`
  const how = { action: 'bankroll-deposit', event: 'operator.deposit', to: bankroll, takenFor: 'bankroll', said }
  const coins = new Set(outpoints)
  const sats = await takeDeposits(ctx, outpoints, how)
  return said(sats, coins.size === 1 ? [...coins].join('') : `${coins.size} deposits`)
}

/**
 * States that an unknown deposit came from an account of our own at the payment provider, where the ledger counted it
 * already: nothing new has arrived.
 *
 * @throws Refused
 */
export async function bookOwnTransfer(ctx: OperatorContext, outpoint: string): Promise<string> {
  const said = (sats: bigint, what: string): string =>
    `${btc(sats)} of ${what} were ours before: they only changed wallets.`
  const how = {
    action: 'own-transfer',
    event: 'operator.own-transfer',
    to: wallet,
    takenFor: 'own transfer',
    said,
  }
  return said(await takeDeposits(ctx, [outpoint], how), outpoint)
}

/**
 * Books a transaction that paid someone else: the amount from an account with enough money, its fee as network fees.
 *
 * @param from one of `WITHDRAW_SOURCES`
 * @throws Refused
 */
export function bookWithdrawal(ctx: OperatorContext, txid: string, from: string): Promise<string> {
  return act(ctx, 'withdraw', txid, async (tx) => {
    const account = Object.hasOwn(SOURCES, from) ? SOURCES[from] : undefined
    if (account === undefined) throw new Refused(`'${from}' is none of ${WITHDRAW_SOURCES.join(', ')}.`)
    const movement = await tx.maybeOne(queries.lockMovement, [txid])
    if (movement === null || movement.kind !== 'spend')
      throw new Refused(
        `No wallet of ours has sent ${txid} to somebody else. A transaction shows here once it is six blocks deep.`,
      )
    if (movement.state !== 'UNBOOKED') throw new Refused(`${txid} is booked already.`)
    // Checked once the movement is ours: a batch that takes the spend waits for it.
    if ((await tx.run(findPayoutTxs, [[txid]])).length > 0) throw new Refused(`${txid} is a payout, and booked as one.`)
    const { paidSats, feeSats } = movement
    await assertHolds(tx, account, paidSats)
    const moves: Move[] = [
      { from: account, to: wallet, sats: paidSats },
      { from: networkFees, to: wallet, sats: feeSats },
    ]
    await postTransfer(tx, { event: 'operator.withdrawal', subject: txid, at: ctx.runtime.clock.now(), moves })
    await tx.execute(moveMovement, {
      txid,
      from: 'UNBOOKED',
      to: 'BOOKED',
      at: ctx.runtime.clock.now(),
      paidFrom: from,
    })
    const said = `${btc(paidSats)} of ${txid} left from ${from}, and a network fee of ${btc(feeSats)}.`
    return said
  })
}

/** Who keeps fees that nobody tells: a payment provider, or the chain at the end of a channel of the Lightning node. */
const FEES = {
  'book-fee': { event: 'provider.fee', account: wallet },
  'lightning-fee': { event: 'lightning.fee', account: lightning },
} as const

/** Books a fee, once for each reference. @throws Refused */
export function bookFee(
  ctx: OperatorContext,
  sats: bigint,
  reference: string,
  action: keyof typeof FEES = 'book-fee',
): Promise<string> {
  const { event, account } = FEES[action]
  return act(ctx, action, reference, async (tx) => {
    if (sats <= 0n) throw new Refused('A fee is more than nothing.')
    await assertHolds(tx, account, sats)
    const moves = [{ from: networkFees, to: account, sats }]
    const isNew = await postTransfer(tx, {
      event,
      subject: reference,
      at: ctx.runtime.clock.now(),
      moves,
    })
    if (!isNew) throw new Refused(`A fee with the reference ${reference} is booked already.`)
    const said = `A fee of ${btc(sats)} is booked: ${reference}.`
    return said
  })
}

function btc(sats: bigint): string {
  return `${satsToBtc(sats)} BTC`
}
