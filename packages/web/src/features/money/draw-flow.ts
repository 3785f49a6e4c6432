import type { DrawMoney } from '@fairball/contract/schemas/game'
import { moneySides, withoutEmpty } from '../../shared/data/money-sides.ts'
import type { MoneySides } from '../../shared/data/money-sides.ts'
import { MONEY_TEXTS as TEXTS } from './messages.ts'

/** @returns a draw's incoming and outgoing money; parts without money are left out */
export function drawFlow(money: DrawMoney, entries: number): MoneySides {
  const { cameIn, wentOut, totalBtc } = moneySides(money, {
    stakes: TEXTS.stakes(entries),
    fromPool: TEXTS.fromPool,
    fromBankroll: TEXTS.fromBankroll,
    prizes: TEXTS.prizes,
    jackpot: TEXTS.jackpotWon,
    donation: TEXTS.donation,
    fee: TEXTS.fee,
    toNext: TEXTS.toNext,
  })
  return { cameIn: withoutEmpty(cameIn), wentOut: withoutEmpty(wentOut), totalBtc }
}
