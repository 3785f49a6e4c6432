import { calls } from '@fairball/contract/calls'
import { LotteryError } from '@fairball/domain/errors'
import { fromHex, toHex } from '@fairball/domain/protocol/bytes'
import { randomnessOf } from '@fairball/domain/protocol/chain'
import type { FastifyInstance } from 'fastify'
import { LIVE_CACHE, OK, route } from '../../http/route.ts'
import { LIMITS, type RateLimits } from '../../kernel/limits.ts'
import type { Beacon, Beacons } from '../../ports/beacon/beacon.ts'
import { lastRoundDueAt } from '../../ports/beacon/chains.ts'
import type { DrawsContext } from './context.ts'
import { isWaitedFor, takeRound } from './taking-rounds.ts'

/** A round never changes, and the next one comes soon. */
const FOR_GOOD = { seconds: 31_536_000, isImmutable: true } as const
const PUBLIC = { isOpenToAllOrigins: true } as const
const LATEST = 'latest'
const ROUND = /^[1-9][0-9]{0,15}$/

/**
 * The beacon's calls: signatures are accepted from anyone, and the local beacon is published in drand's JSON (fairness
 * section 10).
 */
export function beaconRoutes(app: FastifyInstance, ctx: DrawsContext, limits: RateLimits): void {
  route(
    app,
    calls.submitBeaconRound,
    async ({ body, address }) => {
      await limits.take(LIMITS.beaconRoundsOfAddress, address)
      const { round } = body
      if (!(await isWaitedFor(ctx, round))) await limits.take(LIMITS.beaconRoundsNobodyWaitsFor, 'all')
      await takeRound(ctx, { round, signature: body.signature })
      return OK
    },
    PUBLIC,
  )
  route(
    app,
    calls.getBeaconInfo,
    ({ params }) => {
      const { chain } = localBeacon(ctx.beacons, params.hash)
      return {
        public_key: chain.publicKey,
        period: chain.period,
        genesis_time: chain.genesis,
        hash: chain.hash,
        groupHash: chain.groupHash,
        schemeID: chain.scheme,
        metadata: { beaconID: chain.beaconId },
      }
    },
    { ...PUBLIC, cache: FOR_GOOD },
  )
  route(
    app,
    calls.getBeaconRound,
    async ({ params, cacheFor }) => {
      const beacon = localBeacon(ctx.beacons, params.hash)
      const round = roundNamed(params.round, lastRoundDueAt(beacon.chain, ctx.runtime.clock.now()))
      const signature = await beacon.signatureOf(round)
      if (signature === null) throw noSuchRound()
      if (params.round !== LATEST) cacheFor(FOR_GOOD)
      return { round, randomness: toHex(randomnessOf(fromHex(signature))), signature }
    },
    { ...PUBLIC, cache: LIVE_CACHE },
  )
}

/** @throws LotteryError NOT_FOUND for any other chain: a public one has its own relays */
function localBeacon(beacons: Beacons, hash: string): Beacon {
  const { local } = beacons
  if (local === null || local.chain.hash !== hash) throw new LotteryError('NOT_FOUND', 'No such chain.')
  return local
}

/** @throws LotteryError NOT_FOUND for a round that is not due or does not exist */
function roundNamed(name: string, last: number | null): number {
  const round = name === LATEST ? last : ROUND.test(name) ? Number(name) : null
  if (round === null || last === null || round > last) throw noSuchRound()
  return round
}

function noSuchRound(): LotteryError {
  return new LotteryError('NOT_FOUND', 'No such round, or not yet.')
}
