import { isRoundSigned } from '@fairball/domain/protocol/beacon'
import { roundDueAt } from '@fairball/domain/protocol/chain'
import type { Runtime } from '../../runtime/runtime.ts'
import type { Beacon, Round } from './beacon.ts'
import type { BeaconChain } from './chains.ts'
import { limitedText } from '../limited-text.ts'

/** Time limit for a relay's answer. */
const TIMEOUT_MS = 4_000
/** Several times the size of a round in drand's JSON. */
const MAX_ANSWER_BYTES = 4 * 1024
const LIMIT = { largest: MAX_ANSWER_BYTES, tooLarge: () => new PassedOver('its answer is too large') }
/** Delay between log lines about a relay that keeps failing. */
const COMPLAINT_PAUSE_MS = 60_000
/** Rounds are requested from this long after they are due (`BEACON=drand`). */
const DELAY_SECONDS = 1
/** Maximum length of a relay's reason in the log. */
const LONGEST_REASON = 200

const SIGNATURE = /^[0-9a-f]{96}$/

interface DrandBeaconOptions {
  readonly chain: BeaconChain
  /** base addresses without a slash at their end, asked at `/{chain hash}/public/{round}` */
  readonly relays: readonly string[]
  /**
   * The time outside, in epoch seconds. The demo's clock runs ahead of it, and no relay has a round of then. Default:
   * the system's clock.
   */
  readonly outsideNow?: () => number
}

/**
 * A chain of drand, accessed through relays (docs/fairness.md, section 5). None of them is trusted: the first answer
 * with the valid signature of exactly the requested round wins, and everything else they say is ignored.
 */
export function createDrandBeacon(
  runtime: Pick<Runtime, 'clock' | 'monotonic' | 'fetch' | 'log'>,
  { chain, relays, outsideNow = runtime.clock.now }: DrandBeaconOptions,
): Beacon {
  const lastComplaintMs = new Map<string, number>()

  async function signatureOf(round: number): Promise<string | null> {
    if (roundDueAt(chain, round) > outsideNow()) return null
    const over = new AbortController()
    const fromRelay = async (relay: string): Promise<string> => {
      const answer = await ask(relay, String(round), over.signal)
      if (answer.round !== round) throw new PassedOver(`it answered round ${answer.round}`)
      over.signal.throwIfAborted() // another relay was faster: no need to verify it twice
      if (!isRoundSigned(chain, round, answer.signature)) throw new PassedOver('its signature is not valid')
      over.abort()
      return answer.signature
    }
    return await Promise.any(relays.map((relay) => fromRelay(relay).catch(complain(relay, over.signal)))).catch(
      () => null, // each has said why
    )
  }

  /** All relays are asked: one that gives old rounds must not hide a newer one. */
  async function newestRound(): Promise<Round | null> {
    const asked = relays.map((relay) =>
      ask(relay, 'latest')
        .then((answer) => ({ ...answer, relay }))
        .catch(complain(relay)),
    )
    const answers = (await Promise.allSettled(asked)).flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    for (const { relay, round, signature } of answers.toSorted((one, other) => other.round - one.round)) {
      if (isRoundSigned(chain, round, signature)) return { round, signature }
      await complain(relay)(new PassedOver('its signature is not valid')).catch(() => undefined)
    }
    return null
  }

  /** A relay's answer about a round, not yet verified. @throws if it is no round in drand's JSON */
  async function ask(relay: string, round: string, signal?: AbortSignal): Promise<Round> {
    const limit = new AbortController()
    const done = new AbortController()
    const stop = (): void => limit.abort()
    signal?.addEventListener('abort', stop)
    void runtime.monotonic.sleep(TIMEOUT_MS, done.signal).then(stop, () => undefined) // the answer came first
    try {
      const response = await runtime.fetch(`${relay}/${chain.hash}/public/${round}`, {
        headers: { accept: 'application/json' },
        redirect: 'error',
        cache: 'no-store',
        signal: limit.signal,
      })
      if (!response.ok) throw new PassedOver(`it answered ${response.status}`)
      return roundIn(await limitedText(response, LIMIT))
    } finally {
      signal?.removeEventListener('abort', stop)
      done.abort()
      limit.abort() // drops what was not read
    }
  }

  /** Logs why a relay was ignored, at limited intervals, and throws on. */
  function complain(relay: string, over?: AbortSignal): (error: unknown) => Promise<never> {
    return (error) => {
      const nowMs = runtime.monotonic.nowMs()
      const last = lastComplaintMs.get(relay)
      const isNews = last === undefined || nowMs - last >= COMPLAINT_PAUSE_MS
      if (isNews && over?.aborted !== true) {
        lastComplaintMs.set(relay, nowMs)
        const reason = error instanceof Error ? `${error.name}: ${error.message}` : 'unknown'
        runtime.log.warn({ relay, reason: reason.slice(0, LONGEST_REASON) }, 'a relay of the beacon was passed over')
      }
      return Promise.reject(error instanceof Error ? error : new PassedOver('unknown'))
    }
  }

  return { chain, delaySeconds: DELAY_SECONDS, signatureOf, newestRound }
}

/** A relay did not answer the request. */
class PassedOver extends Error {
  override readonly name = 'PassedOver'
}

/** A round in drand's JSON: only what can be verified is read; `randomness` is not. @throws PassedOver */
function roundIn(text: string): Round {
  const answer: unknown = JSON.parse(text)
  if (typeof answer !== 'object' || answer === null) throw new PassedOver('its answer is no round')
  const { round, signature } = answer as Readonly<Record<string, unknown>>
  if (typeof round !== 'number' || !Number.isSafeInteger(round) || round < 1)
    throw new PassedOver('its answer is no round')
  if (typeof signature !== 'string' || !SIGNATURE.test(signature)) throw new PassedOver('its answer has no signature')
  return { round, signature }
}
