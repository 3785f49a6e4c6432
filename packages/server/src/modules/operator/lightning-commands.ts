import { satsToBtc } from '@fairball/domain/money'
import { Refused } from '../../kernel/errors.ts'
import { chooseLightning, type Lightning } from '../../ports/lightning/choose.ts'
import type { Liquidity } from '../../ports/lightning/lightning-node.ts'
import { keptSecret } from '../fairness/service.ts'
import { act } from './action.ts'
import { type Installation, type OperatorCommand, operatorOf } from './command.ts'
import * as queries from './lightning-queries.ts'
import { giveUpLightning } from './lightning-payout-actions.ts'

const NODE_ID = /^0[23][0-9a-f]{64}$/
const DAY_SECONDS = 86_400
/** Days over which sales are averaged. */
const DAYS = 7
const MSAT_PER_SAT = 1000n

/** What an operator can find out about the Lightning node, and whose it is. */
export const lightningCommands = {
  lightning: {
    args: [],
    summary: 'shows what the Lightning node can send and receive, and for how long that is enough',
    run: describeNode,
  },
  'lightning-accept-node': {
    signatures: 2,
    args: ['node id'],
    summary: 'takes another Lightning node than the one before; its payments are followed from its first one on',
    async run(installation, [nodeId = '']) {
      if (!NODE_ID.test(nodeId))
        throw new Refused(`'${nodeId}' is no id of a Lightning node: 66 digits, from 02 or 03.`)
      return await act(operatorOf(installation), 'lightning-accept-node', nodeId, async (tx) => {
        const now = installation.runtime.clock.now()
        const before = await tx.maybeOne(queries.findNode, [])
        if (before?.nodeId === nodeId) throw new Refused('This is the node already.')
        // The new node knows nothing of them, and what it does not know may be paid again.
        const { payoutIds } = await tx.one(queries.listUndecided, [])
        if (payoutIds.length > 0)
          throw new Refused(
            `The node before may still pay ${payoutIds.map((id) => `ln:${id}`).join(', ')}. Let it end them. If it never answers again, give each up: lightning-give-up.`,
          )
        await tx.execute(queries.acceptNode, [nodeId, now])
        return `${nodeId} is the Lightning node now${before === null ? '' : `, ${before.nodeId} was before`}. Restart every process.`
      })
    },
  },
  'lightning-give-up': {
    signatures: 2,
    args: ['payout'],
    summary:
      'gives up a payout over Lightning whose node will never answer again; should it arrive after all, it was paid twice',
    async run(installation, [payout = '']) {
      if (!/^(ln:)?[1-9]\d{0,17}$/.test(payout)) throw new Refused(`'${payout}' is no number of a payout.`)
      return await giveUpLightning(operatorOf(installation), BigInt(payout.replace('ln:', '')))
    },
  },
} as const satisfies Record<string, OperatorCommand>

/** @throws Refused without a node; NodeSilent */
async function describeNode(installation: Installation): Promise<string> {
  const { db, runtime, config } = installation
  const lightning = await nodeOf(installation)
  const info = await lightning.node.info()
  const liquidity = await lightning.node.liquidity()
  const now = runtime.clock.now()
  const received = async (days: number): Promise<bigint> =>
    (await db.one(queries.sumReceived, [now - days * DAY_SECONDS])).sats
  const [yesterdaySats, weekSats] = [await received(1), await received(DAYS)]
  return [
    `node ${info.nodeId}, ${info.version}, block ${info.height}${info.isSynced ? '' : ', still reading the chain'}`,
    ...liquidity.channels.map(
      ({ state, isConnected, sendableMsat, receivableMsat }) =>
        `channel ${state}${isConnected ? '' : ', disconnected'}: can send ${btc(sendableMsat)}, can receive ${btc(receivableMsat)}`,
    ),
    `all of it: ${btc(liquidity.oursMsat)}, on its way ${btc(liquidity.inFlightMsat)}`,
    `received in the last day: ${satsToBtc(yesterdaySats)} BTC`,
    adviceOf(liquidity, weekSats / BigInt(DAYS), config.lightningInMaxSats),
  ].join('\n')
}

/** What to do about the room to receive. @param daySats received in a day on the average of a week */
function adviceOf({ receivableMsat }: Liquidity, daySats: bigint, inMaxSats: bigint): string {
  const roomSats = receivableMsat / MSAT_PER_SAT
  const wantedSats = daySats > inMaxSats ? daySats : inMaxSats
  const days = daySats === 0n ? null : roomSats / daySats
  const lasts =
    days === null ? 'nothing was sold over Lightning in a week' : `room for ${days} days at the mean of a week`
  if (roomSats >= wantedSats) return `${lasts}: nothing to do`
  return `${lasts}: make room for ${satsToBtc(wantedSats - roomSats)} BTC more, by a channel that is opened to you or a swap to the chain`
}

async function nodeOf({ db, runtime, seal, config }: Installation): Promise<Lightning> {
  const testSeed = (): Promise<Uint8Array> => keptSecret({ db, runtime, seal }, 'test-wallet.seed', 32)
  const lightning = await chooseLightning({ db, runtime, settings: config, testSeed, chainHeight: async () => null })
  if (lightning === null) throw new Refused('LIGHTNING=none: there is no Lightning node here.')
  return lightning
}

function btc(msat: bigint): string {
  return `${satsToBtc(msat / MSAT_PER_SAT)} BTC`
}
