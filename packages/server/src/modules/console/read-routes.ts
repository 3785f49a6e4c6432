import { readCalls } from '@fairball/contract/console/read'
import type { FastifyInstance } from 'fastify'
import { previewLegalText } from '../settings/service.ts'
import type { ConsoleContext } from './context.ts'
import { drawPage } from './read-draw.ts'
import { gamePage, gamesPage } from './read-games.ts'
import { previewOf } from './read-games-file.ts'
import { orderPage } from './read-order.ts'
import { overviewPage } from './read-overview.ts'
import { payoutBatch, payoutsPage } from './read-payouts.ts'
import { playerPage } from './read-player.ts'
import { searchFor } from './read-search.ts'
import { settingsPage } from './read-settings.ts'
import { treasuryPage } from './read-treasury.ts'
import { consoleRoute } from './route.ts'
import { siteOf } from './site.ts'

/** The calls that screens of the console read. Everyone signed in reads all of them. */
export function readRoutes(app: FastifyInstance, ctx: ConsoleContext): void {
  const { db } = ctx
  const now = () => ctx.runtime.clock.now()
  consoleRoute(app, ctx, readCalls.getSite, () => siteOf(ctx, app.edge.isDemo))
  consoleRoute(app, ctx, readCalls.listPayouts, ({ query }) =>
    payoutsPage(db, { state: query.state ?? null, page: query._page, now: now() }),
  )
  consoleRoute(app, ctx, readCalls.getPayout, ({ params }) => payoutBatch(db, params.batch, now()))
  consoleRoute(app, ctx, readCalls.search, ({ query }) => searchFor(db, query.q))
  consoleRoute(app, ctx, readCalls.getPlayer, ({ params }) => playerPage(db, params.id, now()))
  consoleRoute(app, ctx, readCalls.getOrder, ({ params }) => orderPage(db, params.id, now()))
  consoleRoute(app, ctx, readCalls.getOverview, ({ staff }) => overviewPage(ctx, staff))
  consoleRoute(app, ctx, readCalls.getTreasury, () => treasuryPage(db, now()))
  consoleRoute(app, ctx, readCalls.getDraw, ({ params }) => drawPage(db, params, now()))
  consoleRoute(app, ctx, readCalls.listGames, () => gamesPage(db, now()))
  consoleRoute(app, ctx, readCalls.getGame, ({ params }) => gamePage(db, params.key, now()))
  consoleRoute(app, ctx, readCalls.previewGames, ({ body }) => previewOf(db, body.file, now()))
  consoleRoute(app, ctx, readCalls.listSettings, () => settingsPage(db, now()))
  consoleRoute(app, ctx, readCalls.previewText, ({ body }) => previewLegalText(body.markdown, !app.edge.isDemo))
}
