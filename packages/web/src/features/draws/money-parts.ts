import type { DrawMoney } from '@fairball/contract/schemas/game'
import { moneySides } from '../../shared/data/money-sides.ts'
import type { MoneySides } from '../../shared/data/money-sides.ts'
import { DRAWS_TEXTS as TEXTS } from './messages.ts'

/** @returns where the money of a draw came from and where it went, parts without money among them */
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
