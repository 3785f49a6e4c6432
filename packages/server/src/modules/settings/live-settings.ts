import type { ComingText } from '@fairball/contract/pages'
import type { Db } from '../../db/pool.ts'
import type { Unlisten } from '../../db/listener.ts'
import type { RowOf } from '../../db/sql.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { MoneySettings } from '../../ports/bitcoin.ts'
import type { Mailbox } from '../../ports/mail/mailer.ts'
import { comingTexts } from './legal.ts'
import { moneyOf, replacedBy } from './money.ts'
import * as queries from './queries.ts'
import { asValues, type Site, type SiteDefaults, siteOf } from './site.ts'

/** Channel on which processes hear that a setting has a new version. */
export const SETTINGS_CHANNEL = 'settings'
/** Pause before the settings are read again that could not be read, in ms. */
const RETRY_MS = 1000

type Version = RowOf<typeof queries.listCurrent>

/** What some versions in force amount to. */
interface InForce {
  readonly site: Site
  readonly money: MoneySettings
  readonly replaced: ReadonlySet<keyof MoneySettings>
  readonly mailFrom: Mailbox | null
  readonly comingTexts: readonly ComingText[]
}

/** What holds where no setting says otherwise: what a process was started with. */
export type Defaults = SiteDefaults &
  MoneySettings & {
    /** MAIL_FROM; null if it is not set */
    readonly mailFrom: Mailbox | null
  }

/** The settings of one process: read at its start and again at each change, so that no change needs a restart. */
export class LiveSettings {
  readonly #db: Pick<Db, 'run' | 'listen'>
  readonly #runtime: Pick<Runtime, 'clock' | 'log' | 'monotonic'>
  readonly #defaults: Defaults
  readonly #stopped = new AbortController()
  #versions: readonly Version[] = []
  /** readings begun, and the latest one with an answer */
  #asked = 0
  #answered = 0
  #made: { readonly inForce: InForce; readonly untilAt: number } | null = null
  #reading: Promise<void> = Promise.resolve()
  #unlisten: Unlisten = async () => undefined

  constructor(deps: {
    readonly db: Pick<Db, 'run' | 'listen'>
    readonly runtime: Pick<Runtime, 'clock' | 'log' | 'monotonic'>
    readonly defaults: Defaults
  }) {
    this.#db = deps.db
    this.#runtime = deps.runtime
    this.#defaults = deps.defaults
  }

  /** Reads the settings, and follows their changes from now on. @throws DatabaseUnavailable */
  async start(): Promise<void> {
    const onChange = (): void => {
      this.#reading = this.#reading.then(() => this.#readUntilDone())
    }
    this.#unlisten = await this.#db.listen(SETTINGS_CHANNEL, onChange, onChange)
    await this.read()
  }

  /** Reads the settings once. @throws DatabaseUnavailable */
  async read(): Promise<void> {
    this.#asked += 1
    const asked = this.#asked
    const versions = await this.#db.run(queries.listCurrent, [this.#runtime.clock.now()])
    if (asked < this.#answered) return // a later reading was faster
    this.#answered = asked
    this.#versions = versions
    this.#made = null
  }

  /** Reads the settings again if another process has changed them and no notification came. @throws DatabaseUnavailable */
  async catchUp(): Promise<void> {
    const listed = await this.#db.run(queries.listCurrentVersions, [this.#runtime.clock.now()])
    const known = new Set(this.#versions.map(({ key, version }) => `${key} ${version}`))
    if (listed.every(({ key, version }) => known.has(`${key} ${version}`))) return
    await this.read() // a failure is the caller's, who may have to stop
  }

  /** The site as the settings in force describe it. */
  site(): Site {
    return this.#inForce().site
  }

  /** What is paid without a person, and what counts as paid, by the settings in force. */
  money(): MoneySettings {
    return this.#inForce().money
  }

  /** What of the configuration settings in force replace. */
  replaced(): ReadonlySet<keyof MoneySettings> {
    return this.#inForce().replaced
  }

  /** The sender of mails, by its setting or its variable; null for the site's own address. */
  mailFrom(): Mailbox | null {
    return this.#inForce().mailFrom
  }

  /** The legal texts that are announced and not yet in force. */
  comingTexts(): readonly ComingText[] {
    return this.#inForce().comingTexts
  }

  #inForce(): InForce {
    const now = this.#runtime.clock.now()
    if (this.#made === null || now >= this.#made.untilAt) {
      const inForce = this.#versions.filter(({ fromAt }) => fromAt <= now) // in the order of their versions
      const later = this.#versions.flatMap(({ fromAt }) => (fromAt > now ? [fromAt] : []))
      const values = asValues(inForce)
      const made = {
        site: siteOf(values, this.#defaults),
        money: moneyOf(values, this.#defaults),
        replaced: replacedBy(values),
        mailFrom: values['mail.from'] ?? this.#defaults.mailFrom,
        comingTexts: comingTexts(this.#versions, now),
      }
      this.#made = { inForce: made, untilAt: Math.min(Infinity, ...later) }
    }
    return this.#made.inForce
  }

  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#unlisten()
    await this.#reading
  }

  async #readUntilDone(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      try {
        return await this.read()
      } catch (error) {
        this.#runtime.log.warn({ err: error }, 'the settings cannot be read; trying again')
        await this.#runtime.monotonic.sleep(RETRY_MS, this.#stopped.signal).catch(() => undefined)
      }
    }
  }
}
