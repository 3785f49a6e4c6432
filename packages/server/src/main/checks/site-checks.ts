import { readPolicy } from '@fairball/domain/protocol/policy'
import { listProcesses } from '../../modules/console/health-queries.ts'
import { isEnrolled } from '../../modules/console/rules.ts'
import { listPeople } from '../../modules/console/staff-queries.ts'
import { type Check, fail, mailWayOf, messageOf, ok, RUNBOOK, unknown, warn } from './check.ts'
import { findCosigned, findLateJobs, findTestMail, listOwnTexts } from './check-queries.ts'

/** Time limit of one question outside, in ms. */
export const OUTSIDE_LIMIT_MS = 5_000
/** How long a due job may wait before somebody should look. */
const LATE_SECONDS = 300
const HOUR_SECONDS = 3600
const LEGAL_TEXTS = 3

const mail: Check = async ({ db, config, checkMail }) => {
  if (checkMail === null) return ok('Mails stay in the outbox of the demo.')
  const remedy = 'Check SMTP_URL: host, port, user and password, and that the server is reachable from here.'
  try {
    await checkMail()
  } catch (error) {
    return fail(`${messageOf(error)}. ${remedy}`, RUNBOOK.start)
  }
  if (config.consoleUrl === null) return ok('The mail server lets us in.')
  const { at = null, way = null } = (await db.maybeOne(findTestMail, [])) ?? {}
  if (at !== null && way === mailWayOf(config.smtpUrl))
    return ok('The mail server lets us in, and the code of a test mail was typed back.')
  const why = at === null ? 'no test mail was seen to arrive' : 'its SMTP_URL is new'
  return fail(
    `The mail server lets us in, but ${why}. Send a test mail in the console, under Health, and type its code there.`,
    RUNBOOK.console,
  )
}

const publicUrl: Check = async ({ config, publicUrl: url, runtime, lottery, isServing }) => {
  if (config.databaseUrl === null && !isServing)
    return unknown(`${url} cannot be asked while this command has the database.`)
  const remedy = 'PUBLIC_URL has to reach the web process from outside: check DNS, certificate and proxy.'
  try {
    const signal = AbortSignal.timeout(OUTSIDE_LIMIT_MS)
    const answer = await runtime.fetch(`${url}/fairball/checkpoint`, { signal })
    const [origin] = answer.ok ? (await answer.text()).split('\n') : []
    if (origin === lottery.fairness.origin) return ok(`${url} answers with our log.`)
    if (origin !== undefined)
      return fail(`${url} answers with another log, ${origin.slice(0, 100)}. ${remedy}`, RUNBOOK.start)
    return fail(`${url} answers ${answer.status}, and not as we do. ${remedy}`, RUNBOOK.start)
  } catch (error) {
    return fail(`${url} cannot be reached: ${messageOf(error)}. ${remedy}`, RUNBOOK.start)
  }
}

const metricsClosed: Check = async ({ config, publicUrl: url, runtime }) => {
  if (config.mode === 'demo') return ok('The demo shows its metrics to everybody.')
  const answer = await runtime
    .fetch(`${url}/metrics`, { signal: AbortSignal.timeout(OUTSIDE_LIMIT_MS) })
    .catch(() => null)
  if (answer === null) return unknown('PUBLIC_URL cannot be reached (see public-url).')
  if (answer.ok)
    return fail(
      'Everybody can read /metrics, balances too. Set METRICS_TOKEN or MONITOR_PORT, and close it in the proxy.',
      RUNBOOK.monitoring,
    )
  return ok('Metrics are closed to strangers.')
}

const witnesses: Check = async ({ db, config, runtime }) => {
  const { quorum } = readPolicy(config.policy)
  if (quorum === null) {
    const text = 'No witness cosigns: nobody but you can prove when a draw was sealed. Name some in WITNESSES.'
    return config.mode === 'demo' ? ok('The demo has no witnesses.') : warn(text, RUNBOOK.start)
  }
  const { cosignedAt, signedAt } = await db.one(findCosigned, [])
  if (signedAt === null) return unknown('The log has not begun.')
  if (cosignedAt === null || cosignedAt < signedAt - HOUR_SECONDS)
    return fail(
      `No witness has cosigned for an hour, at ${runtime.clock.now()}. Check the way out to them.`,
      RUNBOOK.monitoring,
    )
  return ok('Witnesses cosign.')
}

const jobs: Check = async ({ db, runtime }) => {
  const { lateSeconds, failing } = await db.one(findLateJobs, [runtime.clock.now()])
  if (lateSeconds > LATE_SECONDS)
    return fail(
      `A job has been due for ${lateSeconds} s. Is a worker running? Its log says what fails.`,
      RUNBOOK.monitoring,
    )
  if (failing > 0) return warn(`Jobs that failed five times or more: ${failing}. The log says why.`, RUNBOOK.monitoring)
  return ok('Every job runs when it is due.')
}

const settings: Check = async ({ db }) => {
  if (new Set((await db.run(listProcesses, [])).map((one) => one.settings)).size > 1)
    return fail(
      'Processes run with different settings. The console names them; restart those with the old ones.',
      RUNBOOK.processes,
    )
  return ok('All processes have the same settings.')
}

const texts: Check = async ({ db, config }) => {
  if (config.mode === 'demo') return ok("The demo has the product's own texts.")
  const own = await db.run(listOwnTexts, [])
  if (own.length < LEGAL_TEXTS)
    return fail(
      "Terms, privacy or cookies are the product's own, with places to fill in. Apply texts of yours.",
      RUNBOOK.start,
    )
  return ok('Terms, privacy and cookies are your own.')
}

const staff: Check = async ({ db, config }) => {
  if (config.consoleUrl === null) return unknown('There is no console: CONSOLE_URL is not set.')
  const people = (await db.run(listPeople, [])).filter(({ disabledAt }) => disabledAt === null)
  const enrolled = people.filter(isEnrolled)
  if (enrolled.length === 0)
    return fail('Nobody has two passkeys. Run operator staff-invite on the server.', RUNBOOK.console)
  if (enrolled.length < people.length)
    return warn(
      `Registered fewer than two passkeys: ${people
        .filter((one) => !isEnrolled(one))
        .map(({ name }) => name)
        .join(', ')}.`,
      RUNBOOK.console,
    )
  if (enrolled.length === 1) return warn('One person signs alone. Invite a second one.', RUNBOOK.console)
  return ok(`Each of ${enrolled.length} people has two passkeys.`)
}

/** Checks of the site, of its processes, and of people. */
export const SITE_CHECKS = {
  mail,
  'public-url': publicUrl,
  'metrics-closed': metricsClosed,
  witnesses,
}
export const STATE_CHECKS = { jobs, settings, texts, staff }
