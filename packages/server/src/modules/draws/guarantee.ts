import { satsOf } from '@fairball/domain/protocol/money'
import { readRules, type Rules } from '@fairball/domain/protocol/rules'
import type { StatementOf } from '@fairball/domain/protocol/statements'
import type { Tx } from '../../db/pool.ts'
import { textOf } from '../fairness/service.ts'
import { bankroll } from '../ledger/accounts.ts'
import { balanceOf, lockAccount } from '../ledger/service.ts'
import type { DrawsContext } from './context.ts'
import type { DrawRow } from './queries.ts'
import { quotedRate } from './rates.ts'

/** What a close says of the rate and of the bankroll's guarantees. Amounts in satoshis. */
interface Guarantee {
  readonly rate: StatementOf<'close'>['rate']
  readonly quotes: StatementOf<'close'>['quotes']
  readonly floor: bigint
  readonly cover: bigint
  readonly short: bigint
}

/**
 * Floor and cover of a draw at the rate of a close, and what the free bankroll lacks of them. The caller holds the
 * log's head.
 *
 * @param at when the close is dated, epoch seconds
 * @throws Error if no rate is available any more: the transaction is rolled back and retried
 */
export async function guaranteeAt(
  ctx: DrawsContext,
  tx: Tx,
  draw: DrawRow,
  rules: Rules,
  at: number,
): Promise<Guarantee> {
  const quoted = await quotedRate(ctx, tx, draw, at)
  if (quoted === null) throw new Error(`the close of draw ${draw.id} has no rate`)
  const { value, quotes } = quoted
  const floor = satsOf(rules.floor, value)
  const cover = satsOf(rules.cover, value)
  await lockAccount(tx, bankroll) // the operator withdraws from it as well
  const freeSats = await balanceOf(tx, bankroll)
  const short = floor + cover - (freeSats < 0n ? 0n : freeSats)
  return { rate: { currency: draw.currency, value }, quotes, floor, cover, short: short < 0n ? 0n : short }
}

/** What the bankroll sets aside for a guarantee, in sats. */
export function setAsideSats({ floor, cover, short }: Guarantee): bigint {
  return floor + cover - short
}

/** A guarantee as stored with its draw. @param at when the close is dated, epoch seconds */
export function keptGuarantee({ rate, floor, cover, short }: Guarantee, at: number) {
  return { floorSats: floor, coverSats: cover, shortSats: short, rateSats: BigInt(rate.value), rateAt: at }
}

/** The rules that a draw was announced with. */
export async function rulesOfDraw(tx: Tx, draw: Pick<DrawRow, 'id' | 'rulesHash'>): Promise<Rules> {
  const text = await textOf(tx, draw.rulesHash)
  if (text === null) throw new Error(`the rules of draw ${draw.id} are not kept`)
  return readRules(text)
}
