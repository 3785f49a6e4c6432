import { satsToBtc } from '@fairball/domain/money'
import type { Db, Tx } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import { BITCOIN_CORE } from '../../ports/payment-provider/bitcoin-core.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { bankroll, type LedgerAccount, losses, networkFees, operatorFee, suspense, wallet } from '../ledger/accounts.ts'
import type { Ledger, Move } from '../ledger/service.ts'
import * as queries from './queries.ts'
import { readStatus, type TreasuryStatus } from './service.ts'

/** What the operator asked for cannot be done. Nothing was changed; the message says why. */
export class TreasuryRefusal extends Error {
  override readonly name = 'TreasuryRefusal'
}

/** Where money that left can have come from. Reserves of draws are accounts of their own, which nobody takes from. */
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
  readonly readings: readonly RowOf<typeof queries.listReadings>[]
  readonly ledgerSats: bigint
  readonly suspenseSats: bigint
  readonly bankrollSats: bigint
  readonly operatorFeeSats: bigint
  readonly unbooked: readonly RowOf<typeof queries.listUnbooked>[]
  readonly deposits: readonly RowOf<typeof queries.listDeposits>[]
}

/**
 * The operator's own money, in and out (decisions section 5). No wallet is asked and nothing is sent: each action books
 * what happened on the chain already, in one transaction with the line of the audit log that says who did it.
 */
export function createTreasuryDesk(deps: { db: Db; runtime: Pick<Runtime, 'clock'>; ledger: Ledger; actor: string }) {
  const { db, ledger } = deps
  const now = (): number => deps.runtime.clock.now()

  async function act<T>(action: string, subject: string, work: (tx: Tx) => Promise<readonly [T, string]>): Promise<T> {
    return await db.transaction(async (tx) => {
      const [result, detail] = await work(tx)
      await tx.run(queries.insertAction, [now(), deps.actor, action, subject, detail])
      return result
    })
  }

  /** What an account holds, which nobody else changes until the transaction ends. @throws TreasuryRefusal below `sats` */
  async function assertHolds(tx: Tx, account: LedgerAccount, sats: bigint): Promise<void> {
    if (account === losses) return
    await ledger.lock(tx, account)
    const heldSats = await ledger.balance(tx, account)
    if (heldSats >= sats) return
    const name = account.kind.replaceAll('_', ' ')
    throw new TreasuryRefusal(`The ledger account ${name} holds ${btc(heldSats)}, and this takes ${btc(sats)}.`)
  }

  /** Takes an unknown deposit out of suspense. */
  function takeDeposit(
    outpoint: string,
    how: { action: string; event: string; to: LedgerAccount; takenFor: string; said: (sats: bigint) => string },
  ): Promise<string> {
    return act(how.action, outpoint, async (tx) => {
      const deposit = await tx.maybeOne(queries.lockDeposit, [outpoint])
      if (deposit === null) throw new TreasuryRefusal(`There is no unknown deposit ${outpoint}.`)
      const { sats, times_confirmed: times } = deposit
      if (deposit.confirmed_at === null)
        throw new TreasuryRefusal(`The deposit ${outpoint} is not confirmed: it stands in suspense once it is.`)
      // Other providers do not tell how deep it is.
      if (deposit.provider === BITCOIN_CORE && deposit.final_at === null)
        throw new TreasuryRefusal(`The deposit ${outpoint} is not six blocks deep yet: a block may still take it back.`)
      if (deposit.taken_confirmation === times)
        throw new TreasuryRefusal(
          `The deposit ${outpoint} was taken out of suspense before: ${deposit.taken_for ?? ''}.`,
        )
      await assertHolds(tx, suspense, sats)
      const moves = [{ from: suspense, to: how.to, sats }]
      await ledger.post(tx, { event: how.event, subject: `${outpoint}:${times}`, at: now(), moves })
      await tx.run(queries.takeDeposit, [outpoint, now(), how.takenFor])
      const said = how.said(sats)
      return [said, said]
    })
  }

  return {
    /** How everything stands. */
    view(): Promise<TreasuryView> {
      return act('treasury', 'all', async (tx) => {
        const view: TreasuryView = {
          status: await readStatus(tx),
          readings: await tx.run(queries.listReadings, []),
          ledgerSats: await ledger.balance(tx, wallet),
          suspenseSats: await ledger.balance(tx, suspense),
          bankrollSats: await ledger.balance(tx, bankroll),
          operatorFeeSats: await ledger.balance(tx, operatorFee),
          unbooked: await tx.run(queries.listUnbooked, []),
          deposits: await tx.run(queries.listDeposits, []),
        }
        return [view, `${view.unbooked.length} unbooked, ${view.deposits.length} unknown deposits`]
      })
    },

    /** Makes an unknown deposit the operator's bankroll. @throws TreasuryRefusal */
    depositBankroll(outpoint: string): Promise<string> {
      return takeDeposit(outpoint, {
        action: 'bankroll-deposit',
        event: 'operator.deposit',
        to: bankroll,
        takenFor: 'bankroll',
        said: (sats) => `${btc(sats)} of ${outpoint} are bankroll.`,
      })
    },

    /**
     * Says that an unknown deposit came from an account of our own at the payment provider, where the ledger counted it
     * already: nothing new has arrived. @throws TreasuryRefusal
     */
    ownTransfer(outpoint: string): Promise<string> {
      return takeDeposit(outpoint, {
        action: 'own-transfer',
        event: 'operator.own-transfer',
        to: wallet,
        takenFor: 'own transfer',
        said: (sats) => `${btc(sats)} of ${outpoint} were ours before: they only changed wallets.`,
      })
    },

    /**
     * Books a transaction that paid somebody else: what left from an account that holds as much, its fee as network fees.
     *
     * @param from one of `WITHDRAW_SOURCES`
     * @throws TreasuryRefusal
     */
    withdraw(txid: string, from: string): Promise<string> {
      return act('withdraw', txid, async (tx) => {
        const account = Object.hasOwn(SOURCES, from) ? SOURCES[from] : undefined
        if (account === undefined) throw new TreasuryRefusal(`'${from}' is none of ${WITHDRAW_SOURCES.join(', ')}.`)
        const movement = await tx.maybeOne(queries.lockMovement, [txid])
        if (movement === null || movement.kind !== 'spend')
          throw new TreasuryRefusal(
            `No wallet of ours has sent ${txid} to somebody else. A transaction shows here once it is six blocks deep.`,
          )
        if (movement.state !== 'UNBOOKED') throw new TreasuryRefusal(`${txid} is booked already.`)
        // Asked once the movement is ours: a batch that takes the spend up waits for it.
        if ((await tx.run(queries.findPayoutTxs, [[txid]])).length > 0)
          throw new TreasuryRefusal(`${txid} is a payout, and booked as one.`)
        const { paid_sats: paidSats, fee_sats: feeSats } = movement
        await assertHolds(tx, account, paidSats)
        const moves: Move[] = [
          { from: account, to: wallet, sats: paidSats },
          { from: networkFees, to: wallet, sats: feeSats },
        ]
        await ledger.post(tx, { event: 'operator.withdrawal', subject: txid, at: now(), moves })
        await tx.run(queries.moveMovement, [txid, 'UNBOOKED', 'BOOKED', now(), from])
        const said = `${btc(paidSats)} of ${txid} left from ${from}, and a network fee of ${btc(feeSats)}.`
        return [said, said]
      })
    },

    /** Books a fee that a provider kept, once for each reference. @throws TreasuryRefusal */
    bookFee(sats: bigint, reference: string): Promise<string> {
      return act('book-fee', reference, async (tx) => {
        if (sats <= 0n) throw new TreasuryRefusal('A fee is more than nothing.')
        await assertHolds(tx, wallet, sats)
        const moves = [{ from: networkFees, to: wallet, sats }]
        const isNew = await ledger.post(tx, { event: 'provider.fee', subject: reference, at: now(), moves })
        if (!isNew) throw new TreasuryRefusal(`A fee with the reference ${reference} is booked already.`)
        const said = `A fee of ${btc(sats)} is booked: ${reference}.`
        return [said, said]
      })
    },
  }
}

function btc(sats: bigint): string {
  return `${satsToBtc(sats)} BTC`
}
