import { useSyncExternalStore } from 'react'

/** The key in the local storage. It belongs to this site's origin alone, and so to one operator. */
const STORAGE_KEY = 'fairball.fairness'
/** The most closes that are remembered: older ones make room. */
export const CLOSES_KEPT = 200

/** How the check of a player's own lines against the sealing ended. `waiting`: it was seen, the check goes on. */
export type SealOutcome = 'waiting' | 'sealed' | 'broken' | 'unchecked'

/** The close of one of the player's draws, as this browser first saw it. */
export interface SeenClose {
  readonly game: string
  readonly draw: number
  /** Hash of the close statement, hex. */
  readonly hash: string
  /** The signed statement as it was first served: together with a different one it is proof of fraud. */
  readonly note: string
  /** When this browser first saw it, epoch seconds by the later one of the device's clock and the server's. */
  readonly seenAt: number
  /** When the statement says it was sealed, epoch seconds. */
  readonly sealedAt: number
  /** The start of the draw planned then, epoch seconds: its randomness does not exist before. */
  readonly startAt: number
  /** Whose lines they are, and how many. */
  readonly player: string
  readonly lines: number
  readonly outcome: SealOutcome
  /** The failure, or the reason why the check was not possible, in plain words; null if all is well. */
  readonly problem: string | null
  /** The evidence of a failure as a file's text; null without one. */
  readonly evidence: string | null
}

/** The newest statement of a log that this browser has verified. */
export interface SeenHead {
  readonly seq: number
  /** Hex. */
  readonly hash: string
  readonly note: string
}

/** This browser's memory of the operator's log, which no operator can change afterwards (fairness section 10). */
export interface Remembered {
  /** The operator's name in its log; null before the first look. */
  readonly operator: string | null
  /** Its first public key, hex, as it was first seen. */
  readonly key: string | null
  readonly keySeenAt: number | null
  readonly head: SeenHead | null
  /** Oldest first. */
  readonly closes: readonly SeenClose[]
}

/** Nothing was seen yet. */
export const NOTHING_SEEN: Remembered = { operator: null, key: null, keySeenAt: null, head: null, closes: [] }

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/**
 * This browser's memory of the log and the closes, in the local storage and so the same in all tabs. First sights are
 * kept: later answers never replace them.
 */
export class FairnessMemory {
  readonly #storage: Store
  readonly #listeners = new Set<() => void>()
  #text: string | null = null
  #seen: Remembered = NOTHING_SEEN

  constructor(storage: Store) {
    this.#storage = storage
  }

  /** @returns the memory; the same object until something changes */
  read = (): Remembered => {
    const text = this.#storage.getItem(STORAGE_KEY)
    if (text !== this.#text) {
      this.#text = text
      this.#seen = parsed(text)
    }
    return this.#seen
  }

  /** Calls after every change, here and in other tabs. @returns a function that ends it */
  subscribe = (listener: () => void): (() => void) => {
    const onStorage = ({ key }: StorageEvent) => {
      if (key === STORAGE_KEY || key === null) listener()
    }
    this.#listeners.add(listener)
    addEventListener('storage', onStorage)
    return () => {
      this.#listeners.delete(listener)
      removeEventListener('storage', onStorage)
    }
  }

  /** Remembers the operator's key, unless one is known, and the head of a verified log, unless a later one is. */
  rememberLog({ operator, key, head, at }: { operator: string; key: string; head: SeenHead; at: number }): void {
    const seen = this.read()
    if (seen.key !== null && (seen.key !== key || seen.operator !== operator)) return
    const isLater = seen.head === null || head.seq > seen.head.seq
    if (seen.key !== null && !isLater) return
    this.#write({ ...seen, operator, key, keySeenAt: seen.keySeenAt ?? at, head: isLater ? head : seen.head })
  }

  /** Remembers a close, or how its check ended. Hash, note and times stay as they were first seen. */
  rememberClose(close: SeenClose): void {
    const seen = this.read()
    const isSame = (one: SeenClose) => isSameClose(one, close)
    const known = seen.closes.find(isSame)
    if (known === undefined) {
      this.#write({ ...seen, closes: [...seen.closes, close].slice(-CLOSES_KEPT) })
      return
    }
    const { lines, outcome, problem, evidence } = close
    const told = { ...known, lines, outcome, problem, evidence }
    this.#write({ ...seen, closes: seen.closes.map((one) => (isSame(one) ? told : one)) })
  }

  /** Forgets everything. */
  forget(): void {
    this.#storage.removeItem(STORAGE_KEY)
    for (const listener of this.#listeners) listener()
  }

  #write(seen: Remembered): void {
    try {
      this.#storage.setItem(STORAGE_KEY, JSON.stringify(seen))
    } catch {
      return // the storage is full or forbidden: then this browser remembers nothing, and the pages say so
    }
    for (const listener of this.#listeners) listener()
  }
}

/** @returns the closes of a draw that were seen for a player, the oldest first */
export function closesOf(
  seen: Remembered,
  { game, draw, player }: Pick<SeenClose, 'game' | 'draw' | 'player'>,
): readonly SeenClose[] {
  return seen.closes.filter((close) => close.game === game && close.draw === draw && close.player === player)
}

let ofThisBrowser: FairnessMemory | null = null

/** @returns the memory of this browser */
export function fairnessMemory(): FairnessMemory {
  ofThisBrowser ??= new FairnessMemory(localStorage)
  return ofThisBrowser
}

/** @returns this browser's memory; empty in the server's HTML */
export function useRemembered(): Remembered {
  return useSyncExternalStore(
    (listener) => fairnessMemory().subscribe(listener),
    () => fairnessMemory().read(),
    () => NOTHING_SEEN,
  )
}

function isSameClose(one: SeenClose, other: SeenClose): boolean {
  return one.game === other.game && one.draw === other.draw && one.player === other.player && one.hash === other.hash
}

/** Other code can write to the storage: anything not in this version's format is ignored. */
function parsed(text: string | null): Remembered {
  if (text === null) return NOTHING_SEEN
  try {
    const value: unknown = JSON.parse(text)
    return isRemembered(value) ? value : NOTHING_SEEN
  } catch {
    return NOTHING_SEEN
  }
}

function isRemembered(value: unknown): value is Remembered {
  if (!isObject(value) || !Array.isArray(value['closes'])) return false
  const { operator, key, keySeenAt, head } = value
  const isKnown = typeof operator === 'string' && typeof key === 'string' && typeof keySeenAt === 'number'
  const isUnknown = operator === null && key === null && keySeenAt === null
  return (isKnown || isUnknown) && (head === null || isHead(head)) && value['closes'].every(isClose)
}

function isHead(value: unknown): boolean {
  return isObject(value) && has(value, ['hash', 'note'], 'string') && has(value, ['seq'], 'number')
}

const OUTCOMES: readonly unknown[] = ['waiting', 'sealed', 'broken', 'unchecked'] satisfies SealOutcome[]

function isClose(value: unknown): boolean {
  return (
    isObject(value) &&
    has(value, ['game', 'hash', 'note', 'player'], 'string') &&
    has(value, ['draw', 'seenAt', 'sealedAt', 'startAt', 'lines'], 'number') &&
    OUTCOMES.includes(value['outcome']) &&
    ['problem', 'evidence'].every((name) => value[name] === null || typeof value[name] === 'string')
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function has(value: Record<string, unknown>, names: readonly string[], type: 'string' | 'number'): boolean {
  return names.every((name) => typeof value[name] === type)
}
