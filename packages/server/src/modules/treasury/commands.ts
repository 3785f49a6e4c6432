import { userInfo } from 'node:os'
import { satsToBtc } from '@fairball/domain/money'
import { CommandError, type OperatorCommand } from '../../operator-command.ts'
import { createLedger } from '../ledger/service.ts'
import { createTreasuryDesk, TreasuryRefusal, type TreasuryView, WITHDRAW_SOURCES } from './desk.ts'

type House = Parameters<OperatorCommand['run']>[0]

const TXID = /^[0-9a-f]{64}$/
const OUTPOINT = /^[0-9a-f]{64}:\d{1,10}$/
const REFERENCE = /^[\x21-\x7e]{1,100}$/

/** What an operator does with the house's own money by hand. */
export const treasuryCommands = {
  treasury: {
    args: [],
    summary: 'shows what the wallets hold, what the ledger says, and what waits to be booked',
    run: async (house) => linesOf(await deskOf(house).view()).join('\n'),
  },
  'bankroll-deposit': {
    args: ['outpoint'],
    summary: 'makes an unknown deposit in suspense the operator’s bankroll',
    run: (house, [outpoint = '']) => refusable(() => deskOf(house).depositBankroll(checked(outpoint, OUTPOINT))),
  },
  'own-transfer': {
    args: ['outpoint'],
    summary: 'says that an unknown deposit came from our own account at the payment provider',
    run: (house, [outpoint = '']) => refusable(() => deskOf(house).ownTransfer(checked(outpoint, OUTPOINT))),
  },
  withdraw: {
    args: ['txid', 'from'],
    summary: `books coins that left; from is ${WITHDRAW_SOURCES.join(', ')}`,
    run: (house, [txid = '', from = '']) => refusable(() => deskOf(house).withdraw(checked(txid, TXID), from)),
  },
  'book-fee': {
    args: ['sats', 'reference'],
    summary: 'books a fee that a payment provider kept, once for each reference',
    run: (house, [sats = '', reference = '']) =>
      refusable(() => deskOf(house).bookFee(satsOf(sats), checked(reference, REFERENCE))),
  },
} as const satisfies Record<string, OperatorCommand>

function deskOf({ db, runtime }: House) {
  return createTreasuryDesk({ db, runtime, ledger: createLedger(), actor: userInfo().username })
}

async function refusable(work: () => Promise<string>): Promise<string> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof TreasuryRefusal) throw new CommandError(error.message, error)
    throw error
  }
}

function checked(text: string, shape: RegExp): string {
  if (shape.test(text)) return text
  const wanted =
    shape === TXID
      ? 'the id of a transaction, 64 hexadecimal digits'
      : shape === OUTPOINT
        ? 'an output, as txid:number'
        : 'a reference of 1 to 100 characters without a space'
  throw new CommandError(`'${text}' is not ${wanted}.`)
}

function satsOf(text: string): bigint {
  if (!/^[1-9]\d{0,15}$/.test(text)) throw new CommandError(`'${text}' is no whole number of satoshis above 0.`)
  return BigInt(text)
}

function linesOf(view: TreasuryView): string[] {
  const { status, readings, unbooked, deposits } = view
  const unexplained =
    status.unexplainedSats === null
      ? 'what is on its way is not known: a wallet did not answer, or was not still'
      : `${btc(status.unexplainedSats)} of it unexplained`
  return [
    'Wallets',
    ...readings.map(({ wallet, sats, read_at }) => `  ${wallet.padEnd(14)}${btc(sats)}  read ${timeOf(read_at)}`),
    ...(readings.length === 0 ? ['  none was read yet'] : []),
    `  ${'ledger'.padEnd(14)}${btc(view.ledgerSats)}`,
    status.differenceSats === null
      ? '  They were not compared yet.'
      : `  ${'difference'.padEnd(14)}${btc(status.differenceSats)}  ${unexplained}`,
    'The operator’s',
    `  ${'bankroll'.padEnd(14)}${btc(view.bankrollSats)}  not reserved`,
    `  ${'operator fee'.padEnd(14)}${btc(view.operatorFeeSats)}`,
    `Left for somebody else, to be booked with withdraw: ${unbooked.length}`,
    ...unbooked.map(
      ({ txid, found_at, paid_sats, fee_sats }) =>
        `  ${txid}  ${btc(paid_sats)}, fee ${btc(fee_sats)}, found ${timeOf(found_at)}`,
    ),
    `Unknown deposits: ${deposits.length}; in suspense ${btc(view.suspenseSats)}`,
    ...deposits.map(
      ({ outpoint, sats, seen_at, provider, is_confirmed }) =>
        `  ${outpoint}  ${btc(sats)} at ${provider}, seen ${timeOf(seen_at)}${is_confirmed ? '' : ', not confirmed'}`,
    ),
  ]
}

function btc(sats: bigint): string {
  return `${satsToBtc(sats)} BTC`
}

function timeOf(at: number): string {
  return new Date(at * 1000).toISOString()
}
