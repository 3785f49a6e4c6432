import { moneyOf, refreshPayments } from '../src/modules/payments/service.ts'
import type { TestLottery } from './lottery.ts'

/** One output that pays an order, as the test's chain has it or had it. */
interface PaidOutput {
  readonly outpoint: string
  readonly sats: string
}

/**
 * Does to the test chain what a network does to a chain: blocks are undone and payments return to the mempool, are
 * replaced by others, or come back.
 */
export function chainOfPayments(test: TestLottery) {
  const { rows, runtime } = test
  const now = (): number => runtime.clock.now()

  return {
    async pay(orderId: string, sats: bigint, minedConfirmations: number): Promise<string> {
      const { address } = await moneyOf(test.lottery.payments, orderId)
      if (address === null) throw new Error('the order has no address')
      return `${await test.lottery.chain.payIn({ address, sats, minedConfirmations })}:0`
    },

    /** What pays an order in the chain or the mempool now, and may still be undone. */
    async outputsTo(orderId: string): Promise<PaidOutput[]> {
      return await rows<{ outpoint: string; sats: string }>(
        `select x.outpoint, x.sats from test_wallet_txs x join invoices i on i.address = x.address
          left join payments p on p.outpoint = x.outpoint
          where i.order_id = $1 and p.final_at is null order by x.outpoint`,
        [orderId],
      )
    },

    /** The payment is no longer in a block and waits for one again. */
    async toMempool(outpoint: string): Promise<void> {
      await rows(`update test_wallet_txs set at = $2, mined_confirmations = 0 where outpoint = $1`, [outpoint, now()])
    },

    async mine(outpoint: string): Promise<void> {
      await rows(`update test_wallet_txs set mined_confirmations = 1 where outpoint = $1`, [outpoint])
    },

    /** The payment is neither in a block nor on its way. @returns what `comeBack` takes */
    async lose(outpoint: string): Promise<Record<string, unknown>> {
      const [lost] = await rows(`delete from test_wallet_txs where outpoint = $1 returning *`, [outpoint])
      if (lost === undefined) throw new Error(`no payment ${outpoint}`)
      return lost
    },

    /** A lost payment is sent again, with the same bytes. */
    async comeBack(lost: Record<string, unknown>, minedConfirmations: number): Promise<void> {
      const { outpoint, txid, address, sats } = lost
      await rows(
        `insert into test_wallet_txs (outpoint, txid, address, sats, at, mined_confirmations, direction)
          values ($1, $2, $3, $4, $5, $6, 'in')`,
        [outpoint, txid, address, sats, now(), minedConfirmations],
      )
    },

    /** Checks an order until nothing about it is in doubt: a payment that is missing is missing in two checks. */
    async settleDoubts(orderId: string): Promise<string> {
      for (;;) {
        await refreshPayments(test.lottery.payments, orderId)
        const doubts = await rows(`select from payments where order_id = $1 and missing_since is not null`, [orderId])
        if (doubts.length === 0) break
        await test.moveTo(now() + 61)
      }
      await test.lottery.queue.runDue()
      return (await moneyOf(test.lottery.payments, orderId)).status
    },
  }
}
