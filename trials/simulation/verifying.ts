import { writeBundle } from '@fairball/domain/protocol/bundle'
import { collectBundle } from '@fairball/domain/protocol/collect-bundle'
import { readPolicy } from '@fairball/domain/protocol/policy'
import { LogReader, textsNamedBy } from '@fairball/domain/protocol/read-log'
import type { DrawReport, Findings } from '@fairball/domain/protocol/report'
import { NO_TRUST, type Trust } from '@fairball/domain/protocol/trust'
import { verifyBundleText } from '@fairball/domain/protocol/verify'
import { fileAt } from '@fairball/server/testing/lottery'
import type pg from 'pg'
import { signatureOf } from './beacon-relays.ts'
import { Broken } from './checks.ts'
import type { SeedDatabase } from './database.ts'
import { papersOfDraw } from './papers.ts'
import { POLICY } from './witnesses.ts'

/** Replaces the pairing check, which would take most of a seed's time: each round has exactly one signature. */
const isRound = (_chain: unknown, round: number, signature: string): boolean => signature === signatureOf(round)

/** The verifier trusts the simulation's own witnesses. */
const TRUST: Trust = { ...NO_TRUST, policy: readPolicy(POLICY) }

/** A seed's log as a reading witness follows it: statement by statement. */
export class FollowedLog {
  readonly #reader: LogReader
  readonly #texts = new Map<string, string>()

  constructor(origin: string) {
    this.#reader = new LogReader(origin, isRound)
  }

  /** Reads the new statements. @throws Broken if one breaks the protocol */
  async follow(observer: pg.Client): Promise<void> {
    const { rows } = await observer.query<{ text: string }>({
      name: 'new-statements',
      text: 'select text from log_leaves where index >= $1 order by index',
      values: [this.#reader.size],
    })
    const broken: string[] = []
    for (const { text } of rows) {
      const texts: string[] = []
      for (const name of textsNamedBy(text)) texts.push(await this.#text(observer, name))
      for (const { grade, rule, text: what } of this.#reader.add(text, texts))
        if (grade === 'breach') broken.push(`log, ${rule}: ${what}`)
    }
    if (broken.length > 0) throw new Broken(broken)
  }

  async #text(observer: pg.Client, name: string): Promise<string> {
    const known = this.#texts.get(name)
    if (known !== undefined) return known
    const { rows } = await observer.query<{ text: string }>('select text from texts where hash = $1', [name])
    const text = rows[0]?.text ?? ''
    this.#texts.set(name, text)
    return text
  }
}

/**
 * Collects a bundle of each draw that is sealed or void, from the published files, with all papers of its players. The
 * verifier judges it. For an honest draw no check fails or breaks, and witnesses saw a settled one in time.
 *
 * @returns the number of draws with each outcome
 * @throws Broken
 */
export async function assertDrawsVerify({ observer, db }: SeedDatabase): Promise<ReadonlyMap<string, number>> {
  const { rows } = await observer.query<{ open_hash: string; status: string; draw: string }>(
    `select open_hash, status, game_key || ' ' || number as draw from draws where status <> 'open' order by id`,
  )
  const get = async (path: string): Promise<Uint8Array | null> => {
    const file = await fileAt(db, path)
    if (file === null) return null
    return typeof file.body === 'string' ? new TextEncoder().encode(file.body) : new Uint8Array(file.body)
  }
  const outcomes = new Map<string, number>()
  const broken: string[] = []
  for (const { open_hash: openHash, status, draw } of rows) {
    const papers = await papersOfDraw(observer, openHash)
    const bundle = await collectBundle({ get, draws: [openHash], papers, random: () => 0 })
    const report = verifyBundleText(writeBundle(bundle), TRUST, { isRoundSigned: isRound })
    const { outcome, checks } = report
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    if (outcome === 'failed' || outcome === 'broken' || !isAsExpected(status, report.draws[0]))
      broken.push(`${draw}, ${status}, ${outcome}: ${unpassed(checks, report.draws[0]?.checks ?? {})}`)
  }
  if (broken.length > 0) throw new Broken(broken.map((what) => `verifier: ${what}`))
  return outcomes
}

/**
 * A settled draw is not fully proved, because its beacon is private. If it was postponed, there is no witness of that
 * either.
 */
function isAsExpected(status: string, draw: DrawReport | undefined): boolean {
  if (draw === undefined) return false
  const isPassed = (id: 'seal.seen' | 'result.tiers' | 'plays.root'): boolean => draw.checks[id]?.status === 'pass'
  return (
    status !== 'settled' ||
    (draw.outcome === 'holds' && isPassed('seal.seen') && isPassed('result.tiers') && isPassed('plays.root'))
  )
}

/** Every check that did not pass, with the reason. */
function unpassed(...findings: readonly Findings[]): string {
  const all = findings.flatMap((some) => Object.entries(some)).filter(([, { status }]) => status !== 'pass')
  return all.map(([id, { status, why }]) => `${id} ${status}, ${why}`).join('; ')
}
