import { satsToBtc } from '@fairball/domain/money'
import { Refused } from '../../kernel/errors.ts'
import { type OperatorCommand, operatorOf } from './command.ts'
import { approveLightning, retryLightning } from './lightning-payout-actions.ts'
import {
  acceptSpends,
  approveBatch,
  exportPayouts,
  holdAllPayouts,
  holdBatch,
  type ListedPayout,
  listPayouts,
  type OpenBatch,
  type OpenLightning,
  retryAddress,
  retryAllPayouts,
  retryBatch,
  type SetAside,
  takeBackBatch,
} from './payout-actions.ts'

/** A bitcoin address, an offer, or a Lightning address: no number of a batch. */
const DESTINATION = /^(?:[a-z\d]{26,}|[^@\s]+@[^@\s]+)$/i

/** The operator's manual commands for payouts. A running worker continues with what these change. */
export const payoutCommands = {
  'payouts-list': {
    args: [],
    summary:
      'shows the payout batches that are not done, with class and reason, what waits besides, and whether payouts are stopped',
    async run(installation) {
      const { batches, overLightning, stopReason, unaccepted, setAside, owedToPartners, returnsSats } =
        await listPayouts(operatorOf(installation))
      const stopped = stopReason === null ? 'Payouts are working.' : `PAYOUTS ARE STOPPED: ${stopReason}`
      const spends = unaccepted.map((txid) => `spend that nobody has accepted  ${txid}`)
      const aside = setAside.map(asideLine)
      const partners = owedToPartners.map((one) => `owed to partner  ${one.partnerId}  ${satsToBtc(one.sats)} BTC`)
      const returns =
        returnsSats === 0n ? [] : [`refunds and excess in no batch  ${satsToBtc(returnsSats)} BTC  ${RETURNS_WAIT}`]
      return [
        stopped,
        ...spends,
        ...aside,
        ...partners,
        ...returns,
        ...batches.map(lineOf),
        ...overLightning.map(lightningLine),
      ].join('\n')
    },
  },
  'payouts-approve': {
    signatures: 2,
    args: ['batch or ln:payout'],
    summary: 'lets a large payout be signed and sent',
    run: async (installation, [what = '']) => {
      const payoutId = lightningIdOf(what)
      return payoutId === null
        ? approveBatch(operatorOf(installation), idOf(what))
        : approveLightning(operatorOf(installation), payoutId)
    },
  },
  'payouts-hold': {
    signatures: 1,
    args: ["batch or 'all'"],
    summary: 'keeps a batch, or all payouts, from leaving',
    run: async (installation, [batch = '']) =>
      batch === 'all' ? holdAllPayouts(operatorOf(installation)) : holdBatch(operatorOf(installation), idOf(batch)),
  },
  'payouts-retry': {
    signatures: ([what]) => (what === 'all' ? 2 : 1),
    args: ["batch, ln:payout, address or 'all'"],
    summary:
      'resumes a halted batch, a halted payout over Lightning, payouts to an address that was set aside, or all payouts',
    run: async (installation, [what = '']) => {
      if (what === 'all') return retryAllPayouts(operatorOf(installation))
      const payoutId = lightningIdOf(what)
      if (payoutId !== null) return retryLightning(operatorOf(installation), payoutId)
      return DESTINATION.test(what)
        ? retryAddress(operatorOf(installation), what)
        : retryBatch(operatorOf(installation), idOf(what))
    },
  },
  'payouts-accept': {
    signatures: 2,
    args: ['txid,ln:hash…'],
    summary:
      'accepts spends of the hot wallet, or payments of the Lightning node, that may be payouts; nobody is paid beside them',
    run: async (installation, [txids = '']) => acceptSpends(operatorOf(installation), txidsOf(txids)),
  },
  'payouts-not-a-payout': {
    signatures: 2,
    args: ['txid,ln:hash…'],
    summary:
      'accepts spends of the hot wallet, or payments of the Lightning node, that were no payouts; whom they paid is paid as ever',
    run: async (installation, [txids = '']) => acceptSpends(operatorOf(installation), txidsOf(txids), false),
  },
  'payouts-cancel': {
    signatures: 2,
    args: ['batch'],
    summary: 'takes a batch back that no block holds yet; six blocks later it is owed again',
    run: async (installation, [batch = '']) => takeBackBatch(operatorOf(installation), idOf(batch)),
  },
  'payouts-export': {
    args: [],
    summary: 'writes every payout as CSV',
    async run(installation) {
      return [EXPORTED.join(','), ...(await exportPayouts(operatorOf(installation))).map(csvLine)].join('\n')
    },
  },
} as const satisfies Record<string, OperatorCommand>

/** Why refunds and excess are in no batch. */
const RETURNS_WAIT = 'they leave at full hours, after every prize, once they are worth their fee'

const EXPORTED = [
  'payout',
  'batch',
  'state',
  'payee',
  'address',
  'owed_sats',
  'sent_sats',
  'created_at',
  'sent_at',
  'cancelled_at',
  'txid',
]

function idOf(text: string): bigint {
  if (!/^[1-9]\d{0,17}$/.test(text)) throw new Refused(`'${text}' is no number of a payout batch.`)
  return BigInt(text)
}

/** The number of a payout over Lightning as the operator writes it, `ln:17`; null for something else. */
function lightningIdOf(text: string): bigint | null {
  const [, digits] = /^ln:([1-9]\d{0,17})$/.exec(text) ?? []
  return digits === undefined ? null : BigInt(digits)
}

function txidsOf(text: string): string[] {
  const txids = text.split(',')
  const wrong = txids.find((txid) => !/^(ln:)?[\da-f]{64}$/.test(txid))
  if (wrong !== undefined) throw new Refused(`'${wrong}' is no id of a transaction, and no ln: with a payment hash.`)
  return txids
}

function asideLine({ address, playerId, sats, reason }: SetAside): string {
  const whom = playerId === null ? [] : [`player ${playerId}`]
  return ['set aside', address, ...whom, `${satsToBtc(sats)} BTC`, reason].join('  ')
}

function lineOf({ id, state, class: kind, payouts, sats, reason, txid }: OpenBatch): string {
  const parts = [`batch ${id}`, state, kind, `${payouts} payouts`, `${satsToBtc(sats)} BTC`, txid, reason]
  return parts.filter((part) => part !== null).join('  ')
}

function lightningLine({ id, state, address, sats, reason, paymentHash }: OpenLightning): string {
  const parts = [`payout ln:${id}`, state, address, `${satsToBtc(sats)} BTC`, paymentHash, reason]
  return parts.filter((part) => part !== null).join('  ')
}

/** No column can contain a comma, a quote or a formula: ids, numbers, states, addresses. */
function csvLine(payout: ListedPayout): string {
  const { id, batchId, state, playerId, partnerId, address, sats, feeShareSats, createdAt } = payout
  const payee = playerId === null ? `partner ${partnerId ?? ''}` : `player ${playerId}`
  // A Lightning address may begin with a sign that a spreadsheet takes for a formula.
  const to = batchId === null ? `lightning:${address}` : address
  const columns = [id, batchId ?? '', state, payee, to, sats, sats - feeShareSats, createdAt]
  return [...columns, payout.sentAt ?? '', payout.cancelledAt ?? '', payout.txid ?? ''].map(String).join(',')
}
