import { LEGAL_NAMES, type LegalName } from '@fairball/contract/legal-names'
import type { ComingText } from '@fairball/contract/pages'
import { LotteryError } from '@fairball/domain/errors'
import type { Block, LegalText, LegalVersion } from '@fairball/contract/schemas/legal'
import { z } from 'zod'
import type { Db } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { object } from '../content/service.ts'
import { readMarkdown } from './markdown.ts'
import * as queries from './queries.ts'

// The operator's own terms, privacy policy and page on cookies. Without them pages show the product's.

export type LegalKey = `legal.${LegalName}`
/** Some of them as in a settings file; null for the product's own text. */
type LegalValues = z.output<z.ZodObject<ReturnType<typeof legalShape>>>

/** What the calls about legal texts read. */
export interface LegalContext {
  readonly db: Pick<Db, 'run' | 'one'>
  readonly runtime: Pick<Runtime, 'clock'>
  /** texts that were read since the start, by key and version: a long one takes up to a second */
  readonly read: Map<string, Block[]>
}

/** How long a new text is announced before it is in force, in seconds: 7 days. */
export const LEGAL_NOTICE_SECONDS = 604_800
const MAX_TEXT = 100_000

export const LEGAL_KEYS: readonly LegalKey[] = LEGAL_NAMES.map(keyOf)

/** What is left to fill in, in texts of production. A bracket behind `\`, and that of a link, is none. */
const PLACEHOLDERS = [
  /(?<!\\)\[[^[\]\n]*\](?!\()/gu,
  /\{\{[^{}\n]*\}\}/gu,
  /\b(?:TODO|TBD|FIXME|XXX)\b/gu,
  /\blorem ipsum\b/giu,
  /\bexample\.(?:com|net|org)\b/giu,
  /[\w-]+\.example\b(?!\.)/giu,
]

const DATE_MESSAGE = 'set the date of the text, like 2026-12-01'
const TEXT_MESSAGE = `set a text of 1 to ${MAX_TEXT} characters`

/** The checks of legal texts. @param isReal whether players read them: then nothing may be left to fill in */
export function legalShape(isReal: boolean) {
  const markdown = z.string(TEXT_MESSAGE).check((ctx) => {
    const { value, issues } = ctx
    const problems = value.trim() === '' || value.length > MAX_TEXT ? [TEXT_MESSAGE] : problemsOf(value, isReal)
    for (const message of problems) issues.push({ code: 'custom', message, input: value })
  })
  const text = z.nullable(object({ date: z.iso.date(DATE_MESSAGE), markdown })).optional()
  return { 'legal.terms': text, 'legal.privacy': text, 'legal.cookies': text }
}

/** What of a text cannot be shown or is left to fill in, each with its line. */
function problemsOf(text: string, isReal: boolean): string[] {
  const problems = readMarkdown(text).faults.map((fault) => ({ line: fault.line, what: fault.text }))
  const lines = isReal ? text.split(/\r\n|\n|\r/u) : []
  for (const [index, line] of lines.entries())
    for (const [found] of PLACEHOLDERS.flatMap((pattern) => [...line.matchAll(pattern)]))
      problems.push({ line: index + 1, what: `replace "${found}", which stands for something of your own` })
  return problems.toSorted((a, b) => a.line - b.line).map(({ line, what }) => `line ${line}: ${what}`)
}

/**
 * A text as pages show it, and what keeps it from being applied.
 *
 * @param isReal whether players read it
 */
export function previewLegalText(
  markdown: string,
  isReal: boolean,
): { readonly blocks: Block[]; readonly problems: string[] } {
  return { blocks: readMarkdown(markdown).blocks, problems: problemsOf(markdown, isReal) }
}

/** The texts with the product's own in place of those that are not set. */
export function legalValuesOf(values: LegalValues): Required<LegalValues> {
  const { 'legal.terms': terms = null, 'legal.privacy': privacy = null, 'legal.cookies': cookies = null } = values
  return { 'legal.terms': terms, 'legal.privacy': privacy, 'legal.cookies': cookies }
}

/** A version of a setting, without its value. */
interface Version {
  readonly key: string
  readonly version: number
  /** epoch seconds */
  readonly fromAt: number
}

/** The announced texts that will be in force. @param versions those in force, and all later ones */
export function comingTexts(versions: readonly Version[], now: number): ComingText[] {
  return LEGAL_NAMES.flatMap((name) => {
    const own = versions.filter(({ key }) => key === keyOf(name))
    const coming = periodsOf(own, (row) => String(row.version)).find(({ fromAt }) => fromAt !== null && fromAt > now)
    return coming === undefined ? [] : [{ name, version: coming.version, fromAt: coming.fromAt ?? now }]
  })
}

/** A time in which one text was, is or will be in force. */
interface Period {
  /** the first version with this text, 0 for the product's before any other */
  readonly version: number
  /** every version with it in this time */
  readonly versions: readonly number[]
  /** epoch seconds; null for no bound */
  readonly fromAt: number | null
  readonly untilAt: number | null
}

/**
 * The times of texts, oldest first. A version that a higher one replaces before its moment has none; the same text in
 * two versions, one after the other, is one time.
 */
function periodsOf<Row extends Version>(rows: readonly Row[], textOf: (row: Row) => string): Period[] {
  const starts = rows.filter((row) => rows.every((o) => o.version <= row.version || o.fromAt > row.fromAt))
  const periods: (Period & { readonly text: string })[] = []
  const add = (version: number, fromAt: number | null, text: string): void => {
    const last = periods.at(-1)
    if (last !== undefined) periods[periods.length - 1] = { ...last, untilAt: fromAt }
    if (last?.text === text)
      periods[periods.length - 1] = { ...last, versions: [...last.versions, version], untilAt: null }
    else periods.push({ version, versions: [version], fromAt, untilAt: null, text })
  }
  add(0, null, PRODUCTS_OWN)
  for (const row of starts.toSorted((a, b) => a.version - b.version)) add(row.version, row.fromAt, textOf(row))
  return periods
}

const PRODUCTS_OWN = ''

type LegalRow = RowOf<typeof queries.listLegal>

/**
 * A legal text with its versions.
 *
 * @param version its number as it was asked for; undefined for the text in force
 * @throws LotteryError NOT_FOUND for an unknown name or version
 */
export async function readLegalText(ctx: LegalContext, name: string, version: string | undefined): Promise<LegalText> {
  const known = LEGAL_NAMES.find((one) => one === name)
  if (known === undefined) throw new LotteryError('NOT_FOUND', 'There is no such text.')
  const now = ctx.runtime.clock.now()
  const rows = await ctx.db.run(queries.listLegal, [keyOf(known)])
  const periods = periodsOf(rows, ({ digest }) => digest ?? PRODUCTS_OWN)
  const listed = periods.map((period) => viewOf(period.version, period, rows, now))
  // Before the first player there was no one to announce a text to: then the product's own was never anyone's.
  const [first] = rows
  if (first !== undefined && first.fromAt < first.at + LEGAL_NOTICE_SECONDS && listed[0]?.version === 0) listed.shift()
  const versions = listed.toReversed()
  const asked = version === undefined ? versions.find(({ status }) => status === 'in_force') : numbered(version)
  if (asked === undefined || asked === null) throw new LotteryError('NOT_FOUND', 'There is no such version.')
  const number = typeof asked === 'number' ? asked : asked.version
  if (number !== 0 && !rows.some((row) => row.version === number))
    throw new LotteryError('NOT_FOUND', 'There is no such version.')
  const period = periods.find((one) => one.versions.includes(number))
  const blocks = number === 0 ? null : await blocksOf(ctx, keyOf(known), number)
  return { ...viewOf(number, period, rows, now), blocks, versions }
}

/** What a version says; null for the product's own text. */
async function blocksOf(ctx: LegalContext, key: LegalKey, version: number): Promise<Block[] | null> {
  const known = ctx.read.get(`${key} ${version}`)
  if (known !== undefined) return known
  const { markdown } = await ctx.db.one(queries.findLegal, [key, version])
  if (markdown === null) return null
  const { blocks } = readMarkdown(markdown)
  ctx.read.set(`${key} ${version}`, blocks)
  return blocks
}

function numbered(version: string): number | null {
  return /^(?:0|[1-9]\d{0,8})$/.test(version) ? Number(version) : null
}

function viewOf(version: number, period: Period | undefined, rows: readonly LegalRow[], now: number): LegalVersion {
  const date = rows.find((row) => row.version === version)?.date ?? null
  if (period === undefined) return { version, status: 'withdrawn', date, from_at: null, until_at: null }
  const { fromAt, untilAt } = period
  const isComing = fromAt !== null && fromAt > now
  const isOver = untilAt !== null && untilAt <= now
  const status = isComing ? 'coming' : isOver ? 'earlier' : 'in_force'
  return { version, status, date, from_at: fromAt, until_at: untilAt }
}

/** The setting of a legal text. */
function keyOf<Name extends LegalName>(name: Name): `legal.${Name}` {
  return `legal.${name}`
}
