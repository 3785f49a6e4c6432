import { toHex } from './bytes.ts'
import { LEAF_RATE_FACTOR, SECTION_LEAVES } from './numbers.ts'
import { isRate } from './money.ts'
import {
  faultOfLeaf,
  isPlayLeaf,
  leafWithIndex,
  type MaskHalves,
  matchesOf,
  PlayIds,
  type SectionLeaves,
} from './play-tree.ts'
import { LEAF, PLAY_KIND, stakeOf } from './plays.ts'
import type { Rules } from './rules.ts'
import type { SectionRecord } from './sections.ts'

/** Counting plays (sections 6, 7 and 9): the plays in force, their totals and their winners. */

/** Up to here, sums and products of stakes are exact, with room for one more. */
const SAFE_PRODUCT = 2 ** 52

/** A revocation, as read from its leaf. */
interface ReadRevocation {
  /** of the play */
  readonly index: number
  /** of the revocation */
  readonly by: number
}

/** The contents of the available leaves, before the draw. */
export interface ReadPlays {
  readonly sections: readonly SectionLeaves[]
  readonly ids: PlayIds
  readonly revocations: readonly ReadRevocation[]
  /** those that revoke the play they name, or whose play is not available: their plays do not count */
  readonly inForce: readonly ReadRevocation[]
  /** the fault of a leaf, so that nothing can be counted; null if all leaves are valid */
  readonly fault: string | null
  /** whether a play id appears twice */
  readonly hasRepeatedPlay: boolean
  /** the fault of a revocation whose play is available */
  readonly revocationFault: string | null
  /** the fault of a play's rate */
  readonly rateFault: string | null
}

/** Reads all available leaves once. @param rate of the close, satoshis per whole unit */
export function readPlays(
  sections: readonly SectionLeaves[],
  openHash: Uint8Array,
  rules: Rules,
  rate: number,
): ReadPlays {
  const ids = new PlayIds(sections)
  const revocations: ReadRevocation[] = []
  let fault: string | null = null
  let rateFault: string | null = null
  let hasRepeatedPlay = false
  for (const [position, section] of sections.entries()) {
    for (let place = 0; place < section.count; place += 1) {
      const index = section.section * SECTION_LEAVES + place
      const start = section.starts[place] ?? 0
      const found = faultOfLeaf(section, place, openHash, rules)
      if (found !== null) {
        fault ??= `leaf ${index}: ${found}`
      } else if (isPlayLeaf(section, place)) {
        if (!ids.add(position, place)) hasRepeatedPlay = true
        if (!isLeafRate(section.view.getUint32(start + LEAF.rate), rate)) {
          rateFault ??= `leaf ${index}: its rate is none of its time`
        }
      } else {
        revocations.push({ index: Number(section.view.getBigUint64(start + LEAF.revokedIndex)), by: index })
      }
    }
  }
  const { inForce, fault: revocationFault } = judgeRevocations(sections, revocations)
  // If a leaf is invalid, the rates of the others cannot be judged.
  if (fault !== null) rateFault = null
  return { sections, ids, revocations, inForce, fault, hasRepeatedPlay, revocationFault, rateFault }
}

/** Totals of plays in force. */
export type Tally = Pick<SectionRecord, 'lines' | 'free' | 'carried' | 'stake'>

/** Counts a section's plays in force. */
export function countSection(
  section: SectionLeaves,
  { inForce, fault }: Pick<ReadPlays, 'inForce' | 'fault'>,
  price: number,
): Tally {
  const total = { lines: 0, free: 0, carried: 0, stake: 0n }
  // If a leaf is invalid, the others cannot be counted.
  if (fault !== null) return total
  const stakes = new StakeSum(price)
  forPlaysInForce(section, inForce, (start) => {
    const lines = section.view.getUint16(start + LEAF.lines)
    const free = section.view.getUint16(start + LEAF.free)
    const rate = section.view.getUint32(start + LEAF.rate)
    total.lines += lines
    total.free += free
    if (rate === 0) total.carried += lines - free
    else stakes.add(lines - free, rate)
  })
  return { ...total, stake: stakes.sum }
}

/** Counts a section's winning lines, by tier in the order of the rules. */
export function countWinners({
  section,
  plays,
  tier,
  drawn,
}: {
  readonly section: SectionLeaves
  readonly plays: Pick<ReadPlays, 'inForce' | 'fault'>
  readonly tier: Rules['tier']
  readonly drawn: MaskHalves
}): number[] {
  const winners = tier.map(() => 0)
  if (plays.fault !== null) return winners
  const tierOf = tiersByMatches(tier)
  forPlaysInForce(section, plays.inForce, (start) => {
    const lines = section.view.getUint16(start + LEAF.lines)
    for (let line = 0; line < lines; line += 1) {
      const won = tierOf[matchesOf(section.view, start, line, drawn)] ?? -1
      if (won >= 0) winners[won] = (winners[won] ?? 0) + 1
    }
  })
  return winners
}

/** Adds up tallies. */
export function sumOf(tallies: readonly Tally[]): Tally {
  return tallies.reduce<Tally>(
    (sum, { lines, free, carried, stake }) => ({
      lines: sum.lines + lines,
      free: sum.free + free,
      carried: sum.carried + carried,
      stake: sum.stake + stake,
    }),
    { lines: 0, free: 0, carried: 0, stake: 0n },
  )
}

/** Adds up the winners of sections, by tier. */
export function sumOfWinners(winners: readonly (readonly number[])[], tiers: number): number[] {
  return Array.from({ length: tiers }, (_, tier) => winners.reduce((sum, counts) => sum + (counts[tier] ?? 0), 0))
}

/** The stake of a tree's first leaves, less the plays revoked among them, as a `sold` states it (section 6). */
export function stakeOfBatch({ sections, inForce }: ReadPlays, batch: number, price: number): bigint {
  const stakes = new StakeSum(price)
  const revoked = inForce.filter(({ by }) => by < batch)
  for (const section of sections) {
    const count = Math.min(section.count, batch - section.section * SECTION_LEAVES)
    forPlaysInForce({ ...section, count }, revoked, (start) => {
      const paid = section.view.getUint16(start + LEAF.lines) - section.view.getUint16(start + LEAF.free)
      stakes.add(paid, section.view.getUint32(start + LEAF.rate))
    })
  }
  return stakes.sum
}

/** Adds up stakes: as a number for speed, and as a bigint once a number would no longer be exact. */
class StakeSum {
  readonly #price: number
  #whole = 0n
  #part = 0

  constructor(price: number) {
    this.#price = price
  }

  add(paidLines: number, rate: number): void {
    const product = paidLines * this.#price * rate
    // `⌈product / 100⌉` is exact while the product is.
    if (product > SAFE_PRODUCT || this.#part > SAFE_PRODUCT) {
      this.#whole += stakeOf(paidLines, this.#price, rate) + BigInt(this.#part)
      this.#part = 0
    } else {
      this.#part += (product - (product % 100)) / 100 + (product % 100 === 0 ? 0 : 1)
    }
  }

  get sum(): bigint {
    return this.#whole + BigInt(this.#part)
  }
}

/** Visits a section's plays in force. @param visit called with the start of each leaf */
function forPlaysInForce(
  section: SectionLeaves,
  revocations: readonly ReadRevocation[],
  visit: (start: number) => void,
): void {
  const revoked = new Set(revocations.map(({ index }) => index))
  const first = section.section * SECTION_LEAVES
  for (let place = 0; place < section.count; place += 1) {
    if (isPlayLeaf(section, place) && !(revoked.size > 0 && revoked.has(first + place))) {
      visit(section.starts[place] ?? 0)
    }
  }
}

/** A play carried over has rate 0; any other rate is within a factor of the close's (section 9). */
function isLeafRate(rate: number, closeRate: number): boolean {
  if (rate === 0) return true
  return isRate(rate) && LEAF_RATE_FACTOR * rate >= closeRate && rate <= LEAF_RATE_FACTOR * closeRate
}

/** Finds the revocations in force, and the fault of another. One whose play is not available counts without a check. */
function judgeRevocations(
  sections: readonly SectionLeaves[],
  revocations: readonly ReadRevocation[],
): { inForce: ReadRevocation[]; fault: string | null } {
  const inForce: ReadRevocation[] = []
  const revoked = new Set<number>()
  let fault: string | null = null
  for (const revocation of revocations) {
    const why = revoked.has(revocation.index) ? 'a play is revoked twice' : faultOfRevocation(sections, revocation)
    fault ??= why
    if (why !== null) continue
    revoked.add(revocation.index)
    inForce.push(revocation)
  }
  return { inForce, fault }
}

function faultOfRevocation(sections: readonly SectionLeaves[], { index, by }: ReadRevocation): string | null {
  if (index >= by) return `leaf ${by} revokes a play that comes after it`
  const leaf = leafWithIndex(sections, index)
  const own = leafWithIndex(sections, by)
  if (leaf === null || own === null) return null
  const isOwn = leaf[LEAF.kind] === PLAY_KIND && toHex(playIdOf(leaf)) === toHex(playIdOf(own))
  return isOwn ? null : `leaf ${by} revokes another play than it names`
}

function playIdOf(leaf: Uint8Array): Uint8Array {
  return leaf.subarray(LEAF.playId, LEAF.rate)
}

/** The tier for each number of matches; -1 if that wins nothing. */
function tiersByMatches(tier: Rules['tier']): Int8Array {
  const tiers = new Int8Array(65).fill(-1)
  for (const [place, { matches }] of tier.entries()) tiers[matches] = place
  return tiers
}
