import { LotteryError } from '@fairball/domain/errors'
import { readGamesFile } from '@fairball/domain/games-file'
import { Refused } from '../../../kernel/errors.ts'
import { applyPlan, planFile } from '../../games/service.ts'
import { changeKey } from '../../fairness/service.ts'
import { act, actFor, gamesDesk, pauseSales, resumeSales } from '../../operator/service.ts'
import { applySettings, planSettings, SETTINGS_FORMAT, siteAt } from '../../settings/service.ts'
import { boundTo } from '../bound-db.ts'
import { requireReadyToSell } from '../health.ts'
import type { JsonObject } from '../request-queries.ts'
import { type RequestKind, said, withoutFacts } from './kind.ts'
import { findSettingVersion, listGameVersions } from './site-queries.ts'

// Games, sales, settings and the log: what players see, announced as the desks announce it.

export const applyGames: RequestKind<'games.apply'> = {
  /** A file with faults is answered with all of them; games that change meanwhile make the request stale. */
  async facts(from, { file }) {
    const { problems } = readGamesFile(file)
    if (problems.length > 0) throw new LotteryError('INVALID_PAYLOAD', undefined, { fields: fieldsOf(problems) })
    const games = await from.run(listGameVersions, [])
    return { games: games.map(({ gameKey, version }) => ({ game: gameKey, version })) }
  },
  async carryOut({ ctx, tx, operator, reason, requestId }, { file }) {
    const db = boundTo(tx)
    const desk = gamesDesk({ db, runtime: ctx.log.runtime, jobs: ctx.jobs }, { ...ctx.log, db }, async (inner) => {
      const { colors, content } = await siteAt(inner, ctx.runtime.clock.now(), ctx.settings)
      return { colors, partners: content.partners.length }
    })
    const { id } = await planFile(desk, file)
    if (id === null) throw new Refused('Nothing changes.')
    const order = { id, reason, actor: operator.actor, requestId, stopsSales: false }
    const lines = await actFor(operator, 'games-apply', id, async (inner) => {
      const applied = await applyPlan(desk, inner, order)
      return [applied, applied[0] ?? ''] as const
    })
    return { text: lines.join('\n') }
  },
}

function fieldsOf(problems: readonly { readonly at: string; readonly problem: string }[]): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const { at, problem } of problems) fields[at === '' ? 'args.file' : `args.file.${at}`] = problem
  return fields
}

export const pauseSalesOf: RequestKind<'sales.pause'> = {
  facts: withoutFacts,
  carryOut: ({ operator, reason }, { game, note }) => said(pauseSales(operator, game, { note, reason })),
}

export const resumeSalesOf: RequestKind<'sales.resume'> = {
  facts: withoutFacts,
  async carryOut({ ctx, tx, operator, reason }, { game }) {
    await requireReadyToSell(tx, ctx.runtime.clock.now())
    return await said(resumeSales(operator, game, reason))
  },
}

export const applySetting: RequestKind<'settings.apply'> = {
  facts: async (from, { key }) => ({ version: (await from.one(findSettingVersion, [key])).version }),
  async carryOut({ ctx, tx, operator, reason }, { key, value, from }) {
    const { runtime, jobs, mail, settings } = ctx
    const file = JSON.stringify({ format: SETTINGS_FORMAT, from, settings: { [key]: value } })
    const { id, said: planned } = await planSettings({ db: boundTo(tx), runtime }, settings, file)
    if (id === null) throw new Refused(planned)
    const desk = { runtime, jobs, mail, actor: operator.actor }
    return await said(
      act(operator, 'settings-apply', key, (inner) => applySettings(desk, inner, settings, { id, reason })),
    )
  },
}

export const changeLogKey: RequestKind<'log.change-key'> = {
  facts: withoutFacts,
  async carryOut({ ctx, tx, operator }): Promise<JsonObject> {
    const { publicKey, hash } = await changeKey({ ...ctx.log, db: boundTo(tx) })
    return await said(
      act(operator, 'change-key', hash, async () => `The key is ${publicKey} from now on, by the statement ${hash}.`),
    )
  },
}
