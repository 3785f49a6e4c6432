import type { ConsoleAnswerOf } from '@fairball/contract/console/call'
import type { readCalls } from '@fairball/contract/console/read'
import { CURRENCIES, DEFAULT_CURRENCY_CODE } from '@fairball/domain/fiat'
import type { ConsoleContext } from './context.ts'
import { findNewestRate } from './site-queries.ts'

/** The site as the console's pages show it before anybody has signed in: nothing that the public site does not show. */
export async function siteOf(ctx: ConsoleContext, isDemo: boolean): Promise<ConsoleAnswerOf<typeof readCalls.getSite>> {
  const now = ctx.runtime.clock.now()
  const [name, rate] = await Promise.all([
    ctx.siteName(),
    ctx.db.maybeOne(findNewestRate, [DEFAULT_CURRENCY_CODE, now]),
  ])
  const currency = CURRENCIES.find(({ code }) => code === DEFAULT_CURRENCY_CODE)
  const site = { name, url: ctx.publicUrl, is_demo: isDemo, now }
  if (rate === null || currency === undefined) return { ...site, rate: null }
  const { code, symbol, position } = currency
  return {
    ...site,
    rate: { currency: code, symbol, position_of_symbol: position, sats: String(rate.satsPerUnit), at: rate.at },
  }
}
