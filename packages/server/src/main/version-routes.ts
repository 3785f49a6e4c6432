import type { AnswerOf } from '@fairball/contract/calls'
import { calls } from '@fairball/contract/calls'
import type { FastifyInstance } from 'fastify'
import { route } from '../http/route.ts'
import { versionOf } from './served-code.ts'

/** An update is shown to programs that look for one within a minute. */
const CACHE_SECONDS = 60

/** What answers here: found at the first request, and the same until this process ends. */
export function versionRoutes(app: FastifyInstance, { isDevelopment }: { readonly isDevelopment: boolean }): void {
  let found: Promise<AnswerOf<'getVersion'>> | null = null
  const options = { cache: { seconds: CACHE_SECONDS }, isOpenToAllOrigins: true, isShared: true }
  route(app, calls.getVersion, () => (found ??= versionOf(isDevelopment)), options)
}
