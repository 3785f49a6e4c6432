import { readCalls } from '@fairball/contract/console/read'
import { requestCalls } from '@fairball/contract/console/requests'
import { staffCalls } from '@fairball/contract/console/staff'
import type { FastifyInstance } from 'fastify'
import { shared } from '../../kernel/coalesced.ts'
import { auditPage, verifyAudit } from './audit.ts'
import type { ConsoleContext } from './context.ts'
import { enrol, enrolmentOptions, invitedPerson } from './enrolment.ts'
import { fetchFile } from './fetched-files.ts'
import { healthOf } from './health.ts'
import { listStaff } from './people.ts'
import { readRoutes } from './read-routes.ts'
import { requestOf, requestsPage } from './request-list.ts'
import { approvalOptions, approveRequest, endRequest, makeRequest, requireProposer, signRequest } from './requests.ts'
import { consoleRoute } from './route.ts'
import { answerOf, signIn, signInOptions, signOut } from './sessions.ts'

/** The reason of a request that its proposer takes back. */
const TAKEN_BACK = 'Taken back by whoever made it.'

/** The calls of the console: what its screens read, people and their requests. */
export function consoleRoutes(app: FastifyInstance, ctx: ConsoleContext): void {
  readRoutes(app, ctx)
  peopleRoutes(app, ctx)
  requestRoutes(app, ctx)
}

function peopleRoutes(app: FastifyInstance, ctx: ConsoleContext): void {
  consoleRoute(app, ctx, staffCalls.signInOptions, ({ address }) => signInOptions(ctx, address))
  consoleRoute(app, ctx, staffCalls.signIn, async (request) => {
    const { session, cookie } = await signIn(ctx, request.body.response, request)
    request.keepSession(cookie)
    return session
  })
  consoleRoute(app, ctx, staffCalls.me, ({ staff }) => answerOf(staff))
  consoleRoute(app, ctx, staffCalls.signOut, async ({ staff, keepSession }) => {
    keepSession(null)
    return await signOut(ctx, staff)
  })
  consoleRoute(app, ctx, staffCalls.getInvite, ({ params }) => invitedPerson(ctx, params.token))
  consoleRoute(app, ctx, staffCalls.inviteOptions, ({ params }) => enrolmentOptions(ctx, params.token))
  consoleRoute(app, ctx, staffCalls.enrol, ({ params, body }) => enrol(ctx, params.token, body))
  consoleRoute(app, ctx, staffCalls.listStaff, () => listStaff(ctx.db))
  consoleRoute(app, ctx, readCalls.getFile, ({ staff, params }) => fetchFile(ctx, staff, params.id))
  consoleRoute(app, ctx, readCalls.getHealth, () => healthOf(ctx.db, ctx.schema))
}

function requestRoutes(app: FastifyInstance, ctx: ConsoleContext): void {
  consoleRoute(
    app,
    ctx,
    requestCalls.makeRequest,
    ({ staff, body }) => makeRequest(ctx, staff, body),
    (staff, body) => requireProposer(staff, body),
  )
  consoleRoute(app, ctx, requestCalls.signRequest, ({ staff, params, body }) =>
    signRequest(ctx, staff, params.id, body.response),
  )
  consoleRoute(app, ctx, requestCalls.approvalOptions, ({ staff, params }) => approvalOptions(ctx, staff, params.id))
  consoleRoute(app, ctx, requestCalls.approveRequest, ({ staff, params, body }) =>
    approveRequest(ctx, staff, params.id, body.response),
  )
  consoleRoute(app, ctx, requestCalls.rejectRequest, ({ staff, params, body }) =>
    endRequest(ctx, staff, { kind: 'requests.reject', id: params.id, reason: body.reason }),
  )
  consoleRoute(app, ctx, requestCalls.cancelRequest, ({ staff, params }) =>
    endRequest(ctx, staff, { kind: 'requests.cancel', id: params.id, reason: TAKEN_BACK }),
  )
  consoleRoute(app, ctx, requestCalls.listRequests, ({ staff, query }) =>
    requestsPage(ctx, staff, { state: query.state ?? null, page: query._page }),
  )
  consoleRoute(app, ctx, requestCalls.getRequest, ({ staff, params }) => requestOf(ctx, staff, params.id))
  consoleRoute(app, ctx, requestCalls.listAudit, ({ query }) => auditPage(ctx.db, query._page))
  const verify = shared(() => verifyAudit(ctx)) // it takes a while, and more so for several at once
  consoleRoute(app, ctx, requestCalls.verifyAudit, verify)
}
