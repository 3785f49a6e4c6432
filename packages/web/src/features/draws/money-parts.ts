import type { DrawMoney } from '@fairball/contract/schemas/game'
import { moneySides } from '../../shared/data/money-sides.ts'
import type { MoneySides } from '../../shared/data/money-sides.ts'
import { DRAWS_TEXTS as TEXTS } from './messages.ts'

/** @returns the sources and uses of a draw's money, including parts without money */
export function moneyParts(money: DrawMoney, entries: number): MoneySides {
  return moneySides(money, {
    stakes: TEXTS.stakes(entries),
    fromPool: TEXTS.fromPool,
    fromBankroll: TEXTS.fromBankroll,
    prizes: TEXTS.fixedPrizes,
    jackpot: TEXTS.jackpot,
    donation: TEXTS.toPartners,
    fee: TEXTS.toOperator,
    toNext: TEXTS.toNext,
  })
}
