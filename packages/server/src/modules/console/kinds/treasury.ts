import { Refused } from '../../../kernel/errors.ts'
import { act, bookFee, bookOwnTransfer, bookWithdrawal, depositBankroll } from '../../operator/service.ts'
import { type RequestKind, said, withoutFacts } from './kind.ts'

// The operator's own money. No wallet is asked and nothing is sent: each books what happened already.

export const bookDeposits: RequestKind<'treasury.deposit'> = {
  facts: withoutFacts,
  carryOut: ({ operator }, { outpoints }) => said(depositBankroll(operator, ...outpoints)),
}

export const bookTransferOfOurs: RequestKind<'treasury.own-transfer'> = {
  facts: withoutFacts,
  carryOut: ({ operator }, { outpoint }) => said(bookOwnTransfer(operator, outpoint)),
}

export const bookFeeOfProvider: RequestKind<'treasury.fee'> = {
  facts: withoutFacts,
  carryOut: ({ operator }, { sats, reference }) => said(bookFee(operator, BigInt(sats), reference)),
}

export const bookWithdrawn: RequestKind<'treasury.withdraw'> = {
  facts: withoutFacts,
  carryOut: ({ operator }, { txid, from }) => said(bookWithdrawal(operator, txid, from)),
}

export const giveDepositAddress: RequestKind<'treasury.deposit-address'> = {
  facts: withoutFacts,
  async carryOut({ ctx, operator }) {
    const { operatorAddress } = ctx
    if (operatorAddress === null)
      throw new Refused('Deposits have no account of their own at this payment provider: make an address there.')
    const address = await operatorAddress()
    const text = 'given for deposits of the operator'
    await act(operator, 'deposit-address', address, async () => text)
    return { address, text }
  },
}
