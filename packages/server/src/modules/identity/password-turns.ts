import { Overloaded } from '../../kernel/errors.ts'
import { tooMany } from '../../kernel/limits.ts'

/** Maximum number of waiting requests, about two seconds of hashing. */
const MAX_WAITING = 64
/** The part of them for work that is no login or registration: the other half is kept for logins. */
const MAX_OF_OTHERS = MAX_WAITING / 2
/** Waiting places of one caller: a player never has more, an address only while no other wants them. */
const OWN_PLACES = 4
/** Delay in seconds before a player whose places are all taken may retry: some hashes are done by then. */
const RETRY_SECONDS = 1

/** The owner of some work. */
export interface TurnCaller {
  /** the player's id, or the network address of a caller who has not logged in yet */
  readonly name: string
  /** whether it is a login or a registration */
  readonly letsIn: boolean
}

/** The waiting work of one caller, oldest first. */
interface Lane {
  readonly letsIn: boolean
  readonly waiting: { readonly begin: () => void; readonly refuse: (why: Overloaded) => void }[]
}

/**
 * Lets `atOnce` pieces of work run at the same time. The others wait, and the callers take turns: one piece of each,
 * then the next of the first.
 *
 * An address may be a whole school, so it can use every place while no other needs one. When all are taken, a caller
 * with fewer than four gets one of the address that has most, whose newest work is then refused.
 */
export class Turns {
  readonly #atOnce: number
  // A map keeps its order: the first lane is the next to have a turn.
  readonly #lanes = new Map<string, Lane>()
  #running = 0

  constructor(atOnce: number) {
    this.#atOnce = atOnce
  }

  #countWaiting(isCounted: (lane: Lane) => boolean): number {
    let count = 0
    for (const lane of this.#lanes.values()) if (isCounted(lane)) count += lane.waiting.length
    return count
  }

  /**
   * How the caller can wait: in a free place, in that of another address, or not at all.
   *
   * @throws LotteryError TOO_MANY_REQUESTS if a player has all places that one player may have
   */
  #placeFor({ name, letsIn }: TurnCaller): 'free' | Lane | null {
    const own = this.#lanes.get(name)?.waiting.length ?? 0
    if (!letsIn && own >= OWN_PLACES) throw tooMany(RETRY_SECONDS)
    if (!letsIn && this.#countWaiting((lane) => !lane.letsIn) >= MAX_OF_OTHERS) return null
    if (this.#countWaiting(() => true) < MAX_WAITING) return 'free'
    if (own >= OWN_PLACES) return null
    const longest = [...this.#lanes.values()].toSorted((a, b) => b.waiting.length - a.waiting.length)[0]
    return longest !== undefined && longest.waiting.length > OWN_PLACES ? longest : null
  }

  /** @throws Overloaded, or as `placeFor`, if the caller can neither begin nor wait */
  assertRoom(caller: TurnCaller): void {
    if (this.#running >= this.#atOnce && this.#placeFor(caller) === null)
      throw new Overloaded('a password to be hashed')
  }

  /**
   * Waits until finished work hands its turn over. @throws as `assertRoom`, and Overloaded if another needs the place
   */
  async #wait(caller: TurnCaller): Promise<void> {
    this.assertRoom(caller)
    const place = this.#placeFor(caller)
    if (place !== 'free') place?.waiting.pop()?.refuse(new Overloaded('a password to be hashed'))
    await new Promise<void>((resolve, reject) => {
      const lane = this.#lanes.get(caller.name) ?? { letsIn: caller.letsIn, waiting: [] }
      lane.waiting.push({ begin: resolve, refuse: reject })
      this.#lanes.set(caller.name, lane)
    })
  }

  #handOver(): void {
    const next = this.#lanes.entries().next().value
    if (next === undefined) {
      this.#running -= 1
      return
    }
    const [name, lane] = next
    this.#lanes.delete(name)
    if (lane.waiting.length > 1) this.#lanes.set(name, lane)
    lane.waiting.shift()?.begin()
  }

  /**
   * Does a caller's work when its turn has come.
   *
   * @throws Overloaded if too many are waiting; LotteryError TOO_MANY_REQUESTS if too much of this player is; what
   *   `work` throws
   */
  async take<T>(caller: TurnCaller, work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#atOnce) await this.#wait(caller)
    else this.#running += 1
    try {
      return await work()
    } finally {
      this.#handOver()
    }
  }
}
