import type { ConsoleAnswerOf, ConsoleBodyOf, ConsoleCall } from '@fairball/contract/console/call'
import type { readCalls } from '@fairball/contract/console/read'
import type { reportCalls } from '@fairball/contract/console/reports'
import type { requestCalls } from '@fairball/contract/console/requests'
import type { staffCalls } from '@fairball/contract/console/staff'

/** Where a call is. Its schemas stay on the server: the browser knows their types. */
interface Address<C extends ConsoleCall> {
  readonly method: C['method']
  readonly path: C['path']
  /** never there: it carries the call's type */
  readonly call?: C
}

/** The address of a call; a wrong one does not compile. */
const at = <C extends ConsoleCall>(method: C['method'], path: C['path']): Address<C> => ({ method, path })

type Staff = typeof staffCalls
type Requests = typeof requestCalls
type Reads = typeof readCalls
type Reports = typeof reportCalls

/** The calls of the console by name. */
export const CALLS = {
  signInOptions: at<Staff['signInOptions']>('POST', '/auth/options'),
  signIn: at<Staff['signIn']>('POST', '/auth/sign-in'),
  me: at<Staff['me']>('GET', '/auth/me'),
  signOut: at<Staff['signOut']>('POST', '/auth/sign-out'),
  getInvite: at<Staff['getInvite']>('GET', '/invites/{token}'),
  inviteOptions: at<Staff['inviteOptions']>('POST', '/invites/{token}/options'),
  enrol: at<Staff['enrol']>('POST', '/invites/{token}'),
  listStaff: at<Staff['listStaff']>('GET', '/staff'),
  makeRequest: at<Requests['makeRequest']>('POST', '/requests'),
  signRequest: at<Requests['signRequest']>('POST', '/requests/{id}/sign'),
  approvalOptions: at<Requests['approvalOptions']>('POST', '/requests/{id}/options'),
  approveRequest: at<Requests['approveRequest']>('POST', '/requests/{id}/approve'),
  rejectRequest: at<Requests['rejectRequest']>('POST', '/requests/{id}/reject'),
  cancelRequest: at<Requests['cancelRequest']>('POST', '/requests/{id}/cancel'),
  listRequests: at<Requests['listRequests']>('GET', '/requests'),
  getRequest: at<Requests['getRequest']>('GET', '/requests/{id}'),
  listAudit: at<Requests['listAudit']>('GET', '/audit'),
  verifyAudit: at<Requests['verifyAudit']>('GET', '/audit/verify'),
  getSite: at<Reads['getSite']>('GET', '/site'),
  listPayouts: at<Reads['listPayouts']>('GET', '/payouts'),
  getPayout: at<Reads['getPayout']>('GET', '/payouts/{batch}'),
  getOverview: at<Reads['getOverview']>('GET', '/overview'),
  getTreasury: at<Reads['getTreasury']>('GET', '/treasury'),
  search: at<Reads['search']>('GET', '/search'),
  getPlayer: at<Reads['getPlayer']>('GET', '/players/{id}'),
  getOrder: at<Reads['getOrder']>('GET', '/orders/{id}'),
  listGames: at<Reads['listGames']>('GET', '/games'),
  getGame: at<Reads['getGame']>('GET', '/games/{key}'),
  previewGames: at<Reads['previewGames']>('POST', '/games/preview'),
  getDraw: at<Reads['getDraw']>('GET', '/draws/{game}/{number}'),
  listSettings: at<Reads['listSettings']>('GET', '/settings'),
  previewText: at<Reads['previewText']>('POST', '/settings/preview'),
  listWebhooks: at<Reads['listWebhooks']>('GET', '/webhooks'),
  listDeliveries: at<Reads['listDeliveries']>('GET', '/webhooks/{id}/deliveries'),
  listApiKeys: at<Reads['listApiKeys']>('GET', '/api-keys'),
  getHealth: at<Reads['getHealth']>('GET', '/health'),
  getFile: at<Reads['getFile']>('GET', '/files/{id}'),
  getMonth: at<Reports['getMonth']>('GET', '/reports/months/{month}'),
  verifyMonth: at<Reports['verifyMonth']>('GET', '/reports/months/{month}/verify'),
} as const

/** The name of a call. */
export type CallName = keyof typeof CALLS
/** The name of a call that reads. */
export type ReadName = { [Name in CallName]: (typeof CALLS)[Name]['method'] extends 'GET' ? Name : never }[CallName]
type CallOf<Name extends CallName> = (typeof CALLS)[Name] extends Address<infer C> ? C : never
/** The answer of a call by its name. */
export type AnswerOf<Name extends CallName> = ConsoleAnswerOf<CallOf<Name>>

/** What is sent with a call. */
export interface Sent<Name extends CallName = CallName> {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: ConsoleBodyOf<CallOf<Name>>
}

/** A request as its readers see it. */
export type SignedRequest = AnswerOf<'getRequest'>
/** The person who is signed in. */
export type Me = AnswerOf<'me'>['staff']
