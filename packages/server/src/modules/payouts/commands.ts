import { userInfo } from 'node:os'
import { satsToBtc } from '@fairball/domain/money'
import { createJobQueue } from '../../jobs/queue.ts'
import { CommandError, type OperatorCommand } from '../../operator-command.ts'
import { createLedger } from '../ledger/service.ts'
import { createDesk, DeskRefusal, type ListedPayout, type OpenBatch } from './desk.ts'

type House = Parameters<OperatorCommand['run']>[0]

/** What an operator does with payouts by hand. A running worker carries on with what these change. */
export const payoutCommands = {
  'payouts-list': {
    args: [],
    summary: 'shows the payout batches that are not done, what waits for partners, and whether payouts are stopped',
    async run(house) {
      const { batches, stopReason, unaccepted, setAside, owedToPartners } = await deskOf(house).list()
      const stopped = stopReason === null ? 'Payouts are working.' : `PAYOUTS ARE STOPPED: ${stopReason}`
      const spends = unaccepted.map((txid) => `spend that nobody has accepted  ${txid}`)
      const aside = setAside.map((one) => `set aside  ${one.address}  ${satsToBtc(one.sats)} BTC  ${one.reason}`)
      const partners = owedToPartners.map((one) => `owed to partner  ${one.partner_id}  ${satsToBtc(one.sats)} BTC`)
      return [stopped, ...spends, ...aside, ...partners, ...batches.map(lineOf)].join('\n')
    },
  },
  'payouts-approve': {
    args: ['batch'],
    summary: 'lets a large payout be signed and sent',
    run: (house, [batch = '']) => refusable(() => deskOf(house).approve(idOf(batch))),
  },
  'payouts-hold': {
    args: ["batch or 'all'"],
    summary: 'keeps a batch, or all payouts, from leaving',
    run: (house, [batch = '']) =>
      refusable(() => (batch === 'all' ? deskOf(house).holdAll() : deskOf(house).hold(idOf(batch)))),
  },
  'payouts-retry': {
    args: ["batch, address or 'all'"],
    summary: 'lets a halted batch, an address that was set aside, or all payouts go on',
    run: (house, [what = '']) =>
      refusable(() => {
        if (what === 'all') return deskOf(house).retryAll()
        return /^[a-z\d]{26,}$/i.test(what) ? deskOf(house).retryAddress(what) : deskOf(house).retry(idOf(what))
      }),
  },
  'payouts-accept': {
    args: ['txid,txid…'],
    summary: 'accepts spends of the hot wallet that may be payouts; nobody is paid beside them',
    run: (house, [txids = '']) => refusable(() => deskOf(house).accept(txidsOf(txids))),
  },
  'payouts-not-a-payout': {
    args: ['txid,txid…'],
    summary: 'accepts spends of the hot wallet that were no payouts; whom they paid is paid as ever',
    run: (house, [txids = '']) => refusable(() => deskOf(house).accept(txidsOf(txids), false)),
  },
  'payouts-cancel': {
    args: ['batch'],
    summary: 'takes a batch back that no block holds yet; six blocks later it is owed again',
    run: (house, [batch = '']) => refusable(() => deskOf(house).cancel(idOf(batch))),
  },
  'payouts-export': {
    args: [],
    summary: 'writes every payout as CSV',
    async run(house) {
      return [EXPORTED.join(','), ...(await deskOf(house).export()).map(csvLine)].join('\n')
    },
  },
} as const satisfies Record<string, OperatorCommand>

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

function deskOf({ db, runtime }: House) {
  const jobs = createJobQueue({ db, runtime })
  return createDesk({ db, runtime, ledger: createLedger(), jobs, actor: userInfo().username })
}

async function refusable(work: () => Promise<string>): Promise<string> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof DeskRefusal) throw new CommandError(error.message, error)
    throw error
  }
}

function idOf(text: string): bigint {
  if (!/^[1-9]\d{0,17}$/.test(text)) throw new CommandError(`'${text}' is no number of a payout batch.`)
  return BigInt(text)
}

function txidsOf(text: string): string[] {
  const txids = text.split(',')
  const wrong = txids.find((txid) => !/^[\da-f]{64}$/.test(txid))
  if (wrong !== undefined) throw new CommandError(`'${wrong}' is no id of a transaction.`)
  return txids
}

function lineOf({ id, state, payouts, sats, reason, txid }: OpenBatch): string {
  const parts = [`batch ${id}`, state, `${payouts} payouts`, `${satsToBtc(sats)} BTC`, txid, reason]
  return parts.filter((part) => part !== null).join('  ')
}

/** No column can hold a comma, a quote or a formula: ids, numbers, states, addresses. */
function csvLine(payout: ListedPayout): string {
  const { id, batch_id, state, player_id, partner_id, address, sats, fee_share_sats, created_at } = payout
  const payee = player_id === null ? `partner ${partner_id ?? ''}` : `player ${player_id}`
  const columns = [id, batch_id, state, payee, address, sats, sats - fee_share_sats, created_at]
  return [...columns, payout.sent_at ?? '', payout.cancelled_at ?? '', payout.txid ?? ''].map(String).join(',')
}
