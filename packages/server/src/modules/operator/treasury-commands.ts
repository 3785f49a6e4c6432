import { satsToBtc } from '@fairball/domain/money'
import { Refused } from '../../kernel/errors.ts'
import { chooseBitcoin } from '../../ports/bitcoin.ts'
import { planSweep, summaryLines, type SweepPlan } from '../treasury/service.ts'
import { type Installation, type OperatorCommand, operatorOf } from './command.ts'
import {
  bookFee,
  bookOwnTransfer,
  bookWithdrawal,
  depositBankroll,
  noteSweep,
  type TreasuryView,
  viewTreasury,
  WITHDRAW_SOURCES,
} from './treasury-actions.ts'

const TXID = /^[0-9a-f]{64}$/
const OUTPOINT = /^[0-9a-f]{64}:\d{1,10}$/
/** The same, or what came to the Lightning node. */
const ARRIVED = /^(?:[0-9a-f]{64}:\d{1,10}|ln:(?:[0-9a-f]{64}|0[23][0-9a-f]{64}):0)$/
const REFERENCE = /^[\x21-\x7e]{1,100}$/

/** The operator's manual commands for the installation's own money. */
export const treasuryCommands = {
  treasury: {
    args: [],
    summary: 'shows what the wallets hold, what the ledger says, and what waits to be booked',
    run: async (installation) => linesOf(await viewTreasury(operatorOf(installation))).join('\n'),
  },
  'bankroll-deposit': {
    signatures: 1,
    args: ['outpoint,outpoint…'],
    summary: 'makes unknown deposits in suspense the operator’s bankroll, all of them or none',
    run: async (installation, [outpoints = '']) =>
      depositBankroll(operatorOf(installation), ...outpoints.split(',').map((one) => checked(one, ARRIVED))),
  },
  'own-transfer': {
    signatures: 1,
    args: ['outpoint'],
    summary: 'says that an unknown deposit came from our own account at the payment provider',
    run: async (installation, [outpoint = '']) =>
      bookOwnTransfer(operatorOf(installation), checked(outpoint, OUTPOINT)),
  },
  withdraw: {
    signatures: 2,
    args: ['txid', 'from'],
    summary: `books coins that left; from is ${WITHDRAW_SOURCES.join(', ')}`,
    run: async (installation, [txid = '', from = '']) =>
      bookWithdrawal(operatorOf(installation), checked(txid, TXID), from),
  },
  'book-fee': {
    signatures: 1,
    args: ['sats', 'reference'],
    summary: 'books a fee that a payment provider kept, once for each reference',
    run: async (installation, [sats = '', reference = '']) =>
      bookFee(operatorOf(installation), satsOf(sats), checked(reference, REFERENCE)),
  },
  'lightning-fee': {
    signatures: 1,
    args: ['sats', 'reference'],
    summary: 'books what a close by force cost the Lightning node, where it does not tell, once for each reference',
    run: async (installation, [sats = '', reference = '']) =>
      bookFee(operatorOf(installation), satsOf(sats), checked(reference, REFERENCE), 'lightning-fee'),
  },
  'sweep-plan': {
    args: ['sats-per-vbyte'],
    summary: 'prints a PSBT that joins small coins of the deposits, to be signed where the keys are',
    run: sweepPlan,
  },
} as const satisfies Record<string, OperatorCommand>

/** @throws Refused; ProviderUnfit, NodeUnreachable, NodeError with a message for the operator */
async function sweepPlan({ db, runtime, config }: Installation, [text = '']: readonly string[]): Promise<string> {
  const rate = Number(text)
  if (!/^\d{1,4}(\.\d{1,3})?$/.test(text) || rate < 1)
    throw new Refused(`'${text}' is no fee rate in sats a virtual byte, 1 or more.`)
  const elsewhere = new Refused(
    `With PAYMENTS=${config.payments} deposits have no account here: join their coins there.`,
  )
  const { provider, depositCoins } = await chooseBitcoin({
    db,
    runtime,
    publicUrl: config.publicUrl ?? '',
    settings: config,
    testSeed: () => Promise.reject(elsewhere),
    isPayout: async () => true,
  })
  const { operatorAddress } = provider
  if (depositCoins === undefined || operatorAddress === undefined) throw elsewhere
  const plan = await planSweep({ coins: depositCoins, operatorAddress }, BigInt(Math.round(rate * 1000)))
  if (plan === null) return `Fewer than two small coins of the deposits are worth their fee at ${text} sats/vB.`
  await noteSweep(operatorOf({ db, runtime }), plan.address, `${plan.coins} coins of ${btc(plan.sats)}`)
  return sweepText(plan)
}

/** What the operator reads of a plan, with the PSBT on a line of its own. */
function sweepText({ coins, sats, feeSats, address, psbt }: SweepPlan): string {
  return [
    `Joins ${coins} coins of ${btc(sats)} at ${address} for a fee of ${btc(feeSats)}.`,
    'Sign it where the keys are, and send it. Six blocks deep it books itself: its fee alone.',
    psbt,
  ].join('\n')
}

function checked(text: string, shape: RegExp): string {
  if (shape.test(text)) return text
  const wanted =
    shape === TXID
      ? 'the id of a transaction, 64 hexadecimal digits'
      : shape === OUTPOINT || shape === ARRIVED
        ? 'an output, as txid:number'
        : 'a reference of 1 to 100 characters without a space'
  throw new Refused(`'${text}' is not ${wanted}.`)
}

function satsOf(text: string): bigint {
  if (!/^[1-9]\d{0,15}$/.test(text)) throw new Refused(`'${text}' is no whole number of satoshis above 0.`)
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
    ...readings.map(({ wallet, sats, readAt }) => `  ${wallet.padEnd(14)}${btc(sats)}  read ${timeOf(readAt)}`),
    ...(readings.length === 0 ? ['  none was read yet'] : []),
    `  ${'ledger'.padEnd(14)}${btc(view.ledgerSats)}`,
    status.differenceSats === null
      ? '  They were not compared yet.'
      : `  ${'difference'.padEnd(14)}${btc(status.differenceSats)}  ${unexplained}`,
    ...(status.deposits === null ? [] : summaryLines(status.deposits)),
    'The operator’s',
    `  ${'bankroll'.padEnd(14)}${btc(view.bankrollSats)}  not reserved`,
    `  ${'operator fee'.padEnd(14)}${btc(view.operatorFeeSats)}`,
    `Left for somebody else, to be booked with withdraw: ${unbooked.length}`,
    ...unbooked.map(
      ({ txid, foundAt, paidSats, feeSats }) =>
        `  ${txid}  ${btc(paidSats)}, fee ${btc(feeSats)}, found ${timeOf(foundAt)}`,
    ),
    `Unknown deposits: ${deposits.length}; in suspense ${btc(view.suspenseSats)}`,
    ...deposits.map(
      ({ outpoint, sats, seenAt, provider, isConfirmed }) =>
        `  ${outpoint}  ${btc(sats)} at ${provider}, seen ${timeOf(seenAt)}${isConfirmed ? '' : ', not confirmed'}`,
    ),
  ]
}

function btc(sats: bigint): string {
  return `${satsToBtc(sats)} BTC`
}

function timeOf(at: number): string {
  return new Date(at * 1000).toISOString()
}
