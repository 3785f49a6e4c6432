import { roundDueAt } from '@fairball/domain/protocol/chain'
import { satsToBtc } from '@fairball/domain/money'
import type { ConfigAsRead } from '../config/config.ts'
import type { Db } from '../db/pool.ts'
import { nullable, sql, t } from '../db/sql.ts'
import { Refused } from '../kernel/errors.ts'
import { LiveSettings } from '../modules/settings/service.ts'
import { salesState } from '../modules/draws/service.ts'
import type { OperatorCommand } from '../modules/operator/command.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { lotterySettings, lotterySite } from './lottery-settings.ts'
import { createLottery, type Lottery } from './lottery.ts'

/** Maximum age of the beacon's newest round, and of the newest block, in seconds. */
const OLDEST_ROUND_SECONDS = 60
const OLDEST_BLOCK_SECONDS = 7200
/**
 * How far the clock may differ from the database's and be behind what is proven, in seconds; far less than what stops
 * sales.
 */
const CLOCK_SECONDS = 5
/** Time limit for PUBLIC_URL, in ms. */
const ADDRESS_LIMIT_MS = 10_000

/** The finding about one item. */
interface Finding {
  /** the state, or the problem */
  readonly text: string
  /** what to do; null if nothing is wrong */
  readonly remedy: string | null
}

/** What a check may use. */
interface Patient {
  readonly db: Db
  readonly runtime: Runtime
  readonly config: ConfigAsRead
  readonly publicUrl: string
  readonly lottery: Lottery
  readonly checkMail: (() => Promise<void>) | null
}

const findArchiver = sql({
  name: 'doctor.find-archiver',
  text: `select current_setting('archive_mode') <> 'off' as is_on, extract(epoch from last_archived_time)::bigint as archived_at,
      extract(epoch from last_failed_time)::bigint as failed_at, exists (select from pg_stat_replication) as has_replica
    from pg_stat_archiver`,
  row: {
    isOn: t.bool,
    archivedAt: nullable(t.epochSeconds),
    failedAt: nullable(t.epochSeconds),
    hasReplica: t.bool,
  },
})

const SALES_REMEDIES = {
  clock: 'Set the clock that is wrong (see clocks).',
  rates: 'See which sources of rates the log leaves out, and why; two of RATE_SOURCES have to agree.',
  bankroll: 'Pay in what is missing (see bankroll).',
  pauses: 'operator sales-resume <game|all> --reason <text> ends a pause.',
} as const

/** Each requirement of selling, mailing and drawing, in the order of the lines. */
const CHECKS: Readonly<Record<string, (patient: Patient) => Promise<Finding>>> = {
  async sales({ db, lottery }) {
    const { cause, games } = await salesState(lottery.draws, db)
    if (cause !== null) return wrong(`no orders are taken: ${cause}`, SALES_REMEDIES[cause])
    const paused = games.flatMap(({ gameKey, pauseNote }) => (pauseNote === null ? [] : [gameKey]))
    const pauses = paused.length === 0 ? '' : `; paused: ${paused.join(', ')}`
    const unrated = new Set(games.flatMap(({ currency, isRated }) => (isRated ? [] : [currency])))
    if (unrated.size > 0) return wrong(`no rate to sell at in ${[...unrated].join(', ')}`, SALES_REMEDIES.rates)
    const sold = games.flatMap(({ gameKey, isOnSale }) => (isOnSale ? [gameKey] : []))
    if (sold.length > 0) return fine(`orders are taken for ${sold.join(', ')}${pauses}`)
    if (games.some(({ isCarried }) => isCarried)) return wrong(`no orders are taken${pauses}`, SALES_REMEDIES.pauses)
    return wrong(`no orders are taken: the bankroll carries no game${pauses}`, SALES_REMEDIES.bankroll)
  },
  async bankroll({ db, lottery }) {
    const { freeSats, games } = await salesState(lottery.draws, db)
    if (games.some(({ wantedSats }) => wantedSats === null)) {
      return wrong('no rate is known, so nobody knows how much is wanted', SALES_REMEDIES.rates)
    }
    const free = `${satsToBtc(freeSats)} BTC are free`
    const missing = games.filter(({ isCarried }) => !isCarried)
    if (missing.length === 0) return fine(`${free}, and carry every game`)
    const wanted = missing.map(({ gameKey, wantedSats }) => `${gameKey} alone wants ${satsToBtc(wantedSats ?? 0n)} BTC`)
    return wrong(
      `${free}; not carried: ${wanted.join(', ')}`,
      'Pay coins of your own in, then: operator bankroll-deposit <txid:vout> (docs/operations.md, section 3).',
    )
  },
  async mail({ checkMail }) {
    if (checkMail === null) return fine('mails stay in the outbox of the demo')
    const remedy = 'Check SMTP_URL: host, port, user and password, and that the server is reachable from here.'
    return await checkMail().then(
      () => fine('the mail server lets us in'),
      (error: unknown) => wrong(messageOf(error), remedy),
    )
  },
  async beacon({ config, runtime, lottery }) {
    if (config.beacon === 'local') return fine("the demo's own beacon follows our clock")
    const { chain } = lottery.beacons.current
    const newest = await lottery.beacons.current.newestRound().catch(() => null)
    const remedy = 'Check the way out to the relays of DRAND_RELAYS (https, port 443), or name others.'
    if (newest === null) return wrong('no relay gives a round', remedy)
    const outsideNow = runtime.clock.now() - runtime.clock.offsetSeconds()
    const age = outsideNow - roundDueAt(chain, newest.round)
    if (age > OLDEST_ROUND_SECONDS) return wrong(`the newest round, ${newest.round}, is ${age} s old`, remedy)
    return fine(`round ${newest.round} is the newest`)
  },
  async node({ runtime, lottery }) {
    const { readTip } = lottery.bitcoin
    if (readTip === undefined) return fine("the demo's wallet needs none")
    const remedy = 'Is bitcoind running, with peers and room on its disk? Check BITCOIN_RPC_URL and its login.'
    try {
      const tip = await readTip()
      const age = runtime.clock.now() - runtime.clock.offsetSeconds() - tip.at
      if (tip.isDownloading) return wrong(`it is still reading the chain, at block ${tip.height}`, 'Wait until it has.')
      if (age > OLDEST_BLOCK_SECONDS) return wrong(`block ${tip.height} is ${age} s old`, remedy)
      return fine(`block ${tip.height} is the newest`)
    } catch (error) {
      return wrong(messageOf(error), remedy)
    }
  },
  async archiving({ db, config }) {
    if (config.databaseUrl === null) return fine("the demo's own database is not archived")
    const { isOn, archivedAt, failedAt, hasReplica } = await db.one(findArchiver, [])
    const remedy = 'Set archive_mode and archive_command, or run a replica (docs/operations.md, section 6).'
    if (hasReplica) return fine('a replica follows the database')
    if (!isOn) return wrong('the write-ahead log is archived nowhere: a lost disk loses money and the log', remedy)
    if (failedAt !== null && failedAt >= (archivedAt ?? 0)) {
      return wrong('the last try to archive failed', "See PostgreSQL's log for what archive_command said.")
    }
    return fine(archivedAt === null ? 'archiving is on; no segment is full yet' : 'the last segment was archived')
  },
  async address({ config, publicUrl, runtime }) {
    if (config.databaseUrl === null) return fine(`${publicUrl} cannot be asked while this command has the database`)
    const remedy = 'PUBLIC_URL has to reach the web process from outside: check DNS, certificate and proxy.'
    try {
      const answer = await runtime.fetch(`${publicUrl}/healthz`, { signal: AbortSignal.timeout(ADDRESS_LIMIT_MS) })
      const isOurs = answer.ok && (await answer.text()).includes('"ok":true')
      return isOurs
        ? fine(`${publicUrl} answers`)
        : wrong(`${publicUrl} answers ${answer.status}, and not as we do`, remedy)
    } catch (error) {
      return wrong(`${publicUrl} cannot be reached: ${messageOf(error)}`, remedy)
    }
  },
  async clocks({ db, lottery: { clockRule } }) {
    const behind = await clockRule.behindSeconds(db)
    const ahead = Math.round(clockRule.aheadSeconds())
    const remedy = 'chronyc tracking, on this computer and on that of the database: set the one that is wrong.'
    if (behind > CLOCK_SECONDS) return wrong(`ours is ${behind} s behind what is proven`, remedy)
    if (Math.abs(ahead) > CLOCK_SECONDS) {
      return wrong(`ours is ${Math.abs(ahead)} s ${ahead > 0 ? 'ahead of' : 'behind'} the database's`, remedy)
    }
    return fine("ours and the database's agree")
  },
}

/** The operator's check before the first sale, and when something is wrong. */
export const doctorCommands = {
  doctor: {
    args: [],
    summary: 'looks at sales, bankroll, mail, beacon, node, archiving, PUBLIC_URL and clocks; says what to do',
    async run({ db, runtime, config }) {
      const { secretKey } = config
      if (secretKey === null) throw new Refused('SECRET_KEY is not set.')
      const publicUrl = config.publicUrl ?? `http://localhost:${config.port}`
      const live = new LiveSettings({ db, runtime, defaults: config })
      await live.read()
      const settings = lotterySettings({ ...config, publicUrl }, runtime, live)
      const lottery = await createLottery({
        ...settings,
        site: () => lotterySite(live.site()),
        money: () => live.money(),
        db,
        runtime,
        secretKey,
        headFile: null,
        checkMayPlay: async () => undefined,
      })
      const checkMail = settings.mailer.check?.bind(settings.mailer) ?? null
      const patient = { db, runtime, config, publicUrl, lottery, checkMail }
      const lines: string[] = []
      let faults = 0
      for (const [name, check] of Object.entries(CHECKS)) {
        const { text, remedy } = await check(patient).catch((error: unknown) => wrong(messageOf(error), 'See the log.'))
        if (remedy !== null) faults += 1
        lines.push(
          `${remedy === null ? 'ok   ' : 'FAULT'}  ${name.padEnd(9)}  ${text}.${remedy === null ? '' : ` ${remedy}`}`,
        )
      }
      settings.mailer.close()
      if (faults > 0) throw new Refused(lines.join('\n'))
      return lines.join('\n')
    },
  },
} as const satisfies Record<string, OperatorCommand<ConfigAsRead>>

function fine(text: string): Finding {
  return { text, remedy: null }
}

function wrong(text: string, remedy: string): Finding {
  return { text, remedy }
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, '')
}
