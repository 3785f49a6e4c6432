import { readFileSync } from 'node:fs'
import { JobQueue } from '../../jobs/queue.ts'
import { Refused } from '../../kernel/errors.ts'
import { announceVersion, bankrollNeeds, insertGame } from '../draws/service.ts'
import { lockHead, type LogContext } from '../fairness/service.ts'
import { applyPlan, type DeskContext, exportGames, planFile } from '../games/service.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { currentRates } from '../payments/service.ts'
import { siteAt } from '../settings/service.ts'
import { missingSats } from '../treasury/service.ts'
import { actFor, type OperatorContext } from './action.ts'
import { type Installation, type OperatorCommand, operatorOf } from './command.ts'
import { gamesTemplate } from './games-templates.ts'
import { appendingTo, openLog } from './open-log.ts'

/** Games are changed by a file: written, planned, and announced. Running processes follow. */
export const gamesCommands = {
  'games-export': {
    args: [],
    summary: 'writes the games as they were announced last, as a games file',
    run: async ({ db }) => (await exportGames({ db })).trimEnd(),
  },
  'games-template': {
    args: ['starter|demo'],
    summary: 'writes a games file to begin with: one daily game, or the six of the demo',
    async run(_installation, [name = '']) {
      const file = gamesTemplate(name)
      if (file === null) throw new Refused(`'${name}' is no template: starter or demo.`)
      return file.trimEnd()
    },
  },
  'games-plan': {
    args: ['file'],
    summary: 'checks a games file and says what it changes; the plan can be announced for 24 hours',
    async run(installation, [file = '']) {
      const { lines } = await planFile(deskOf(installation, await openLog(installation)), textOf(file))
      return lines.join('\n')
    },
  },
  'games-apply': {
    signatures: 2,
    args: ['plan'],
    flags: ['stops-sales'],
    summary: 'announces a plan in the log; where that takes a game that sells off sale, only with --stops-sales',
    async run(installation, [id = ''], { reason = '', 'stops-sales': stops } = {}) {
      const log = await openLog(installation)
      const headFile = await appendingTo(log, installation)
      const operator = operatorOf(installation)
      const order = { id, reason, actor: operator.actor, stopsSales: stops !== undefined }
      const lines = await actFor(operator, 'games-apply', id, async (tx) => {
        const applied = await applyPlan(deskOf(installation, log), tx, order)
        return [applied, `${reason.trim()}: ${applied[0] ?? ''}`] as const
      })
      await headFile.update()
      return [...lines, 'Announced.'].join('\n')
    },
  },
} as const satisfies Record<string, OperatorCommand>

/** The desk of the games on an installation. */
function deskOf({ db, runtime, config }: Installation, log: LogContext): DeskContext {
  return gamesDesk({ db, runtime, jobs: new JobQueue({ db, runtime }) }, log, async (tx) => {
    const { colors, content } = await siteAt(tx, runtime.clock.now(), config)
    return { colors, partners: content.partners.length }
  })
}

/** The desk of the games. */
export function gamesDesk(
  { db, runtime, jobs }: Pick<OperatorContext, 'db' | 'jobs'> & { readonly runtime: Runtime },
  log: LogContext,
  site: DeskContext['site'],
): DeskContext {
  return {
    db,
    runtime,
    site,
    funds: (tx) => bankrollNeeds({ runtime, missingSats }, tx),
    rates: currentRates,
    lockHead: (tx) => lockHead(log, tx),
    enter: (tx, game, createdAt) => insertGame(tx, game, { createdAt }),
    announce: async (tx, version) => {
      await announceVersion({ fairness: log, jobs }, tx, version)
    },
    openSoon: async (tx, gameKey) => {
      const runAt = runtime.clock.now()
      await jobs.add(tx, 'draws.open', { gameKey }, { key: `draws.open:${gameKey}:${runAt}`, runAt })
    },
  }
}

/** @throws Refused */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Refused(`${file} cannot be read: ${(error as Error).message}.`, error)
  }
}
