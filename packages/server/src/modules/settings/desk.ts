import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { BitcoinNetwork } from '@fairball/domain/btc-address'
import { problemOfSiteColors } from '@fairball/domain/site-colors'
import type { Db, Queries, Tx } from '../../db/pool.ts'
import type { Jobs } from '../../jobs/queue.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { Refused } from '../../kernel/errors.ts'
import type { PaymentsName } from '../../ports/bitcoin.ts'
import { storedGames } from '../catalogue/service.ts'
import { LEGAL_KEYS, LEGAL_NOTICE_SECONDS, type LegalKey, legalValuesOf } from './legal.ts'
import { type Defaults, SETTINGS_CHANNEL } from './live-settings.ts'
import {
  awaitSender,
  checkSenderCode,
  confirmSender,
  endWaitingSenders,
  isNewAddress,
  type SenderContext,
} from './mail-sender.ts'
import * as queries from './queries.ts'
import { MONEY_KEYS, moneyOf, moneyValuesOf, TWO_PERSON_KEY } from './money.ts'
import {
  CONTENT_KEYS,
  readSettingsFile,
  SETTING_KEYS,
  type SettingKey,
  SETTINGS_FORMAT,
  type Values,
} from './settings-file.ts'
import { asValues, type Site, type SiteDefaults, siteOf, valuesOf } from './site.ts'

// How an operator reads, plans and applies settings.

/** What a process that changes settings was started with. */
export interface DeskSettings extends Defaults {
  readonly bitcoinNetwork: BitcoinNetwork
  readonly payments: PaymentsName
  readonly mode: 'demo' | 'production'
}

/** What a plan is applied through. */
interface DeskContext extends SenderContext {
  readonly jobs: Jobs
}

/** How long a plan can be applied, in seconds. */
const PLAN_SECONDS = 86_400
/** How long a partner's new address waits before it is paid to, in seconds: 48 hours. */
const PARTNER_WAIT_SECONDS = 172_800

/** What a plan will write. */
interface Changes {
  /** epoch seconds, or null for the moment at which it is applied */
  readonly from: number | null
  readonly values: Values
}

/**
 * The settings as a file: what was applied last, whether or not it is in force, and otherwise the defaults. What still
 * follows a variable that a setting replaces is left out.
 */
export async function exportSettings({ db }: { readonly db: Db }, defaults: Defaults): Promise<string> {
  const newest = await db.run(queries.listNewest, [])
  const whole = wholeOf(asValues(newest), defaults)
  const settings = Object.fromEntries(Object.entries(whole).filter(([key]) => !isOfVariable(newest, key)))
  return JSON.stringify({ format: SETTINGS_FORMAT, settings }, null, 2)
}

/** What holds for a setting until one is applied. */
interface StartedSetting {
  readonly value: unknown
  /** the variable that says so; null where the product does */
  readonly variable: string | null
  /** whether it wins over settings */
  readonly isFixed: boolean
}

const VARIABLES: Readonly<Record<string, string>> = {
  support_email: 'SUPPORT_EMAIL',
  'mail.from': 'MAIL_FROM',
  'payouts.approval_sats': 'PAYOUT_APPROVAL_SATS',
  'payouts.float_sats': 'PAYOUT_FLOAT_SATS',
  'bitcoin.confirmations': 'BITCOIN_CONFIRMATIONS',
}

/** What a process was started with, by setting, and where it comes from. */
export function startedSettings(defaults: Defaults): Record<string, StartedSetting> {
  const ofFile = (key: string) => defaults.contentFile !== null && CONTENT_KEYS.some((one) => one === key)
  const whole = { ...wholeOf({}, defaults), ...valuesOf(siteOf({}, defaults), { contentFile: null }) }
  const settingOf = ([key, value]: readonly [string, unknown]) => {
    const isFixed = ofFile(key)
    const variable = isFixed ? 'CONTENT_FILE' : value === null ? null : (VARIABLES[key] ?? null)
    return [key, { value, variable, isFixed }] as const
  }
  return Object.fromEntries(Object.entries(whole).map(settingOf))
}

/**
 * Checks a settings file and keeps what it changes for 24 hours.
 *
 * @param text the file's
 * @returns the id of the plan, null if nothing changes; and what the operator reads of it
 * @throws Refused with every problem
 */
export async function planSettings(
  ctx: { readonly db: Db; readonly runtime: Pick<Runtime, 'clock' | 'random'> },
  settings: DeskSettings,
  text: string,
): Promise<{ readonly id: string | null; readonly said: string }> {
  const now = ctx.runtime.clock.now()
  const problems: string[] = []
  const { bitcoinNetwork: network, payments, contentFile } = settings
  const isReal = settings.mode === 'production'
  const file = readSettingsFile(text, { network, payments, isReal, contentFile, now }, problems)
  if (file !== null) problems.push(...(await problemsOfColors(ctx.db, file.values)))
  if (file === null || problems.length > 0) throw new Refused(problems.join('\n'))
  const newest = await ctx.db.run(queries.listNewest, [])
  const before = wholeOf(asValues(newest), settings)
  const wanted = wholeOf(file.values, settings)
  const keys = SETTING_KEYS.filter(
    (key) =>
      file.values[key] !== undefined && (isOfVariable(newest, key) || !isDeepStrictEqual(before[key], wanted[key])),
  )
  if (keys.length === 0) return { id: null, said: 'Nothing changes.' }
  const values: Values = Object.fromEntries(keys.map((key) => [key, wanted[key]]))
  const id = ctx.runtime.random.uuid()
  const changes: Changes = { from: file.from, values }
  await ctx.db.execute(queries.insertPlan, {
    id,
    baseHash: hashOf(newest),
    changes,
    createdAt: now,
    expiresAt: now + PLAN_SECONDS,
  })
  const when = file.from === null ? 'as soon as it is applied' : `from ${timeOf(file.from)}`
  const lines = keys.map((key) => {
    const note = isOfVariable(newest, key) ? ', in place of its variable' : ''
    return `${key}: ${shortened(before[key] ?? null)} becomes ${shortened(wanted[key])}${note}`
  })
  const said = [
    `Plan ${id}, ${when}:`,
    ...lines,
    ...(await delaysOf(ctx, settings, values, before['mail.from'])),
    `Apply it within 24 hours: settings-apply ${id} --reason <text>`,
  ]
  return { id, said: said.join('\n') }
}

/** What of some values takes effect later than the others, and why. @param sender the newest */
async function delaysOf(
  ctx: { readonly db: Db; readonly runtime: Pick<Runtime, 'clock'> },
  settings: DeskSettings,
  values: Values,
  sender: Values['mail.from'],
): Promise<string[]> {
  const { partners, 'mail.from': wanted } = values
  const waiting = partners === undefined ? [] : waitingOf(await partnersAt(ctx, ctx.db, settings), partners)
  const { hasPlayers } = await ctx.db.one(queries.findHasPlayers, [])
  return [
    ...waiting.map((partner) => `partners: the new address of ${partner} counts 48 hours later`),
    ...(wanted !== undefined && isNewAddress(sender, wanted)
      ? [`mail.from: ${wanted.address} gets a code when the plan is applied, and is the sender once it was typed back`]
      : []),
    ...LEGAL_KEYS.filter((key) => values[key] !== undefined).map((key) =>
      hasPlayers
        ? `${key}: in force 7 days after the plan was applied at the earliest; pages announce it until then`
        : `${key}: no one has an account yet, so it needs no announcement`,
    ),
  ]
}

/**
 * Writes the versions of a plan.
 *
 * @returns what was applied
 * @throws Refused if the plan is unknown, expired, applied, or older than the newest change, or if its colours do not
 *   pass with the present games
 */
export async function applySettings(
  ctx: DeskContext,
  tx: Tx,
  settings: DeskSettings,
  plan: { readonly id: string; readonly reason: string },
): Promise<string> {
  const { id, reason } = plan
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) throw new Refused(`'${id}' is not the id of a plan.`)
  if (reason.trim() === '') throw new Refused('Say why: --reason <text>.')
  await tx.run(queries.lockSettings, [])
  const now = ctx.runtime.clock.now()
  const stored = await tx.maybeOne(queries.findPlan, [id])
  if (stored === null) throw new Refused(`There is no plan ${id}.`)
  if (stored.appliedAt !== null) throw new Refused(`Plan ${id} was applied already.`)
  if (stored.expiresAt <= now) throw new Refused(`Plan ${id} expired at ${timeOf(stored.expiresAt)}. Plan again.`)
  const newest = await tx.run(queries.listNewest, [])
  if (hashOf(newest) !== stored.baseHash)
    throw new Refused(`A setting was changed after plan ${id} was made. Export the settings, and plan again.`)
  const { from, values } = stored.changes as Changes // only `planSettings` writes it
  const [problem] = await problemsOfColors(tx, values) // a game may be newer than the plan
  if (problem !== undefined) throw new Refused(problem)
  const fromAt = Math.max(from ?? now, now)
  const write = writerOf(tx, newest, { at: now, actor: ctx.actor, reason, requestId: id })
  const applied: string[] = []
  const later: string[] = []
  const apply = async (key: SettingKey, value: unknown): Promise<void> => {
    applied.push(key)
    await write(key, value, fromAt)
  }
  for (const [key, value] of Object.entries(values)) {
    if (key === 'partners') {
      applied.push(key)
      await writePartners(ctx, tx, { settings, wanted: values.partners ?? [], fromAt, write })
    } else if (isLegal(key)) later.push(await writeLegal(ctx, tx, { key, wanted: values[key] ?? null, fromAt, write }))
    else if (key !== 'mail.from') await apply(key as SettingKey, value)
  }
  const { 'mail.from': sender } = values
  if (sender !== undefined) {
    await endWaitingSenders(ctx, tx)
    if (isNewAddress(asValues(newest)['mail.from'] ?? settings.mailFrom, sender)) {
      await awaitSender(ctx, tx, { sender, fromAt, reason, requestId: id })
      later.push(
        `A mail with a code is on its way to ${sender.address}: type it in the console, or settings-confirm-mail <code>.`,
      )
    } else await apply('mail.from', sender)
  }
  await tx.execute(queries.markApplied, [id, now])
  await tx.notify(SETTINGS_CHANNEL)
  const first = applied.length === 0 ? [] : [`Applied from ${timeOf(fromAt)}: ${applied.join(', ')}.`]
  return [...first, ...later, reason].join(' ')
}

/**
 * Puts the new address of `mail.from` into force whose code was typed.
 *
 * @param act runs the rest in one transaction with the line of the audit log
 * @returns what is in force
 * @throws Refused for a wrong, expired or unknown code
 */
export async function confirmMailSender(
  ctx: Pick<DeskContext, 'actor'> & { readonly db: Db; readonly runtime: Pick<Runtime, 'clock'> },
  code: string,
  act: (work: (tx: Tx) => Promise<string>) => Promise<string>,
): Promise<string> {
  await checkSenderCode(ctx, code)
  return await act(async (tx) => {
    await tx.run(queries.lockSettings, [])
    const newest = await tx.run(queries.listNewest, [])
    const now = ctx.runtime.clock.now()
    const done = await confirmSender(ctx, tx, code, async ({ sender, reason, requestId }, fromAt) => {
      await writerOf(tx, newest, { at: now, actor: ctx.actor, reason, requestId })('mail.from', sender, fromAt)
    })
    await tx.notify(SETTINGS_CHANNEL)
    return done
  })
}

/** Writes a version of a setting. @param fromAt epoch seconds */
type Writer = (key: SettingKey, value: unknown, fromAt: number) => Promise<void>

/** @param newest the newest version of every setting @param change what the versions say of it */
function writerOf(
  tx: Tx,
  newest: readonly { readonly key: string; readonly version: number }[],
  change: { readonly at: number; readonly actor: string; readonly reason: string; readonly requestId: string },
): Writer {
  const versions = new Map<string, number>(newest.map(({ key, version }) => [key, version]))
  return async (key, value, fromAt) => {
    const version = (versions.get(key) ?? 0) + 1
    versions.set(key, version)
    await tx.execute(queries.insertVersion, { key, version, value, fromAt, ...change })
  }
}

/** Colours that cannot be read on each other or with an accent of a game, each with its place. */
async function problemsOfColors(from: Queries, { 'site.colors': colors }: Values): Promise<string[]> {
  if (colors === undefined || colors === null) return []
  const problem = problemOfSiteColors(colors, await storedGames(from))
  return problem === null ? [] : [`site.colors: ${problem}`]
}

/** Some settings, and what holds for the others. */
function wholeOf(values: Values, defaults: Defaults): Values {
  const sender = values['mail.from'] ?? defaults.mailFrom
  return {
    ...valuesOf(siteOf(values, defaults), defaults),
    ...(sender === null ? {} : { 'mail.from': sender }),
    ...legalValuesOf(values),
    ...moneyValuesOf(moneyOf(values, defaults)),
    [TWO_PERSON_KEY]: values[TWO_PERSON_KEY] ?? null,
  }
}

/**
 * Whether a key has no setting yet, so that the variable of each process holds: even a setting of the same value then
 * changes something.
 */
function isOfVariable(newest: readonly { readonly key: string }[], key: string): boolean {
  return ['mail.from', ...MONEY_KEYS].includes(key) && !newest.some((row) => row.key === key)
}

/** A new address waits: until then its partner is paid at the address in force, or not at all. */
async function writePartners(
  ctx: DeskContext,
  tx: Tx,
  change: {
    readonly settings: DeskSettings
    readonly wanted: NonNullable<Values['partners']>
    readonly fromAt: number
    readonly write: Writer
  },
): Promise<void> {
  const { settings, wanted, fromAt, write } = change
  const inForce = await partnersAt(ctx, tx, settings)
  const waiting = new Set(waitingOf(inForce, wanted))
  const known = new Map(inForce.map(({ id, address }) => [id, address]))
  const meanwhile = wanted.map((partner) =>
    waiting.has(partner.id) ? { ...partner, address: known.get(partner.id) ?? null } : partner,
  )
  await write('partners', meanwhile, fromAt)
  if (waiting.size > 0) await write('partners', wanted, fromAt + PARTNER_WAIT_SECONDS)
  // What is owed to a partner that has an address from then on would wait for the next win.
  for (const runAt of new Set([fromAt, fromAt + (waiting.size > 0 ? PARTNER_WAIT_SECONDS : 0)]))
    await ctx.jobs.add(tx, 'payouts.partners', {}, { key: `payouts.partners:${runAt}`, runAt })
}

function isLegal(key: string): key is LegalKey {
  return LEGAL_KEYS.some((one) => one === key)
}

/**
 * A new text is announced for 7 days, unless there is no one yet to announce it to. One that is still to come is
 * withdrawn: the text in force is written again from now on.
 *
 * @returns from when the text is in force
 */
async function writeLegal(
  { runtime }: { readonly runtime: Pick<Runtime, 'clock'> },
  tx: Tx,
  change: { readonly key: LegalKey; readonly wanted: unknown; readonly fromAt: number; readonly write: Writer },
): Promise<string> {
  const { key, wanted, write } = change
  const now = runtime.clock.now()
  const rows = (await tx.run(queries.listCurrent, [now])).filter((row) => row.key === key)
  const { version = 0, value: inForce = null } = rows.findLast(({ fromAt }) => fromAt <= now) ?? {}
  if (rows.some((row) => row.version > version)) await write(key, inForce, now)
  if (isDeepStrictEqual(inForce, wanted)) return `${key} stays as it is in force.`
  const { hasPlayers } = await tx.one(queries.findHasPlayers, [])
  const fromAt = Math.max(change.fromAt, hasPlayers ? now + LEGAL_NOTICE_SECONDS : now)
  await write(key, wanted, fromAt)
  return `${key} is in force from ${timeOf(fromAt)}.`
}

async function partnersAt(
  { runtime }: { readonly runtime: Pick<Runtime, 'clock'> },
  from: Queries,
  settings: DeskSettings,
) {
  return (await siteAt(from, runtime.clock.now(), settings)).content.partners
}

/** The site by the settings in force. @param now epoch seconds */
export async function siteAt(from: Queries, now: number, defaults: SiteDefaults): Promise<Site> {
  const rows = await from.run(queries.listCurrent, [now])
  return siteOf(asValues(rows.filter(({ fromAt }) => fromAt <= now)), defaults)
}

/** The ids of partners that get an address which is not the one in force. */
function waitingOf(
  inForce: readonly { readonly id: string; readonly address: string | null }[],
  wanted: readonly { readonly id: string; readonly address: string | null }[],
): string[] {
  const known = new Map(inForce.map(({ id, address }) => [id, address]))
  return wanted.flatMap(({ id, address }) => (address === null || known.get(id) === address ? [] : [id]))
}

function hashOf(newest: readonly { readonly key: string; readonly version: number }[]): string {
  const text = newest.map(({ key, version }) => `${key} ${version}\n`).join('')
  return createHash('sha256').update(text).digest('hex')
}

/** A value in so few words that a person reads them. */
function shortened(value: unknown): string {
  const text = JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'string' && part.length > 120 ? `${part.slice(0, 117)}...` : part,
  )
  return text.length > 400 ? `${text.slice(0, 397)}...` : text
}

function timeOf(at: number): string {
  return new Date(at * 1000).toISOString().replace('.000Z', 'Z')
}
